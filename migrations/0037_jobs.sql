-- Jobs: long work of the operator, done step by step, with what they leave (docs/decisions/0044).

create table jobs (
  id text primary key,
  kind text not null,
  parameters json not null,
  state text not null check (state in ('waiting', 'running', 'finished', 'failed', 'cancelled')),
  -- From where the next step goes on. It is saved in the transaction of the step.
  checkpoint json not null,
  total bigint not null,
  done bigint not null,
  result json,
  error text,
  actor json not null,
  date_created timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  -- When a job that has ended is deleted with its file.
  expires_at timestamptz,
  -- When the next step may begin: later than now after a failed step.
  next_at timestamptz not null,
  -- How often the next step was begun.
  attempts smallint not null,
  -- The lease of the process that runs the next step.
  held_until timestamptz not null,
  fence bigint not null
);

create index jobs_by_date on jobs (date_created, id);
create index jobs_open on jobs (held_until) where state in ('waiting', 'running');
create index jobs_expiring on jobs (expires_at) where expires_at is not null;

-- The parts of the files that jobs write, each a file of the file store. A row without a size is a file that a step has
-- begun and that is no part (yet): it is noted so that it is deleted with the job.
create table job_files (
  key text primary key,
  job_id text not null,
  position int,
  size bigint
);

create index job_files_of_job on job_files (job_id, position);
