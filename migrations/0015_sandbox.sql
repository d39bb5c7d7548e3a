-- What a sandbox pretends and plays: answers that fail, traffic that is made up, worlds that are kept.

-- Shared by all, written by hand: reference tables on a cluster.

-- A fault of answers, and how many requests it has seen and met: chance follows from the count.
create table sandbox_answer_faults (
  name text primary key,
  fault json not null,
  seen bigint not null default 0,
  met bigint not null default 0
);

-- Jobs that play traffic. `told` counts what has happened, by what it was.
create table sandbox_simulations (
  id text primary key,
  state text not null check (state in ('running', 'finishing', 'finished', 'stopped')),
  asked json not null,
  application_id bigint not null,
  -- So many stories have begun.
  begun int not null default 0,
  told json not null,
  date_created timestamptz not null,
  date_ended timestamptz
);
create unique index sandbox_simulations_open on sandbox_simulations ((true))
  where state in ('running', 'finishing');

-- A story that has begun and is not at its end: which step comes next, when, and what was made so far.
create table sandbox_stories (
  simulation_id text not null,
  number int not null,
  step int not null,
  due_at timestamptz not null,
  begun_at timestamptz not null,
  made json not null,
  primary key (simulation_id, number)
);
create index sandbox_stories_due on sandbox_stories (simulation_id, due_at);

-- Worlds that are kept: their tables lie in a schema of their own. Never part of a snapshot itself.
create table sandbox_snapshots (
  name text primary key,
  -- Of that schema, and of the folder of its files.
  place text not null unique,
  -- The step of the schema that it was taken at.
  step int not null,
  -- What time it was in there.
  world_time timestamptz not null,
  -- Those that had any rows.
  tables text[] not null,
  n_rows bigint not null,
  n_bytes bigint not null,
  n_files int not null,
  ms int not null,
  date_created timestamptz not null
);

-- Which world this is: raised whenever another one is loaded, so that processes learn of it.
create table sandbox_world (
  only_one boolean primary key check (only_one),
  number bigint not null
);

-- A world that is loaded brings its time along, which may lie behind the machine's.
alter table sandbox_clock drop constraint sandbox_clock_ahead_ms_check;
