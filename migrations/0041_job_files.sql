-- Files of jobs that hold users (docs/decisions/0044): uploads, which a job reads, and results that an erasure deletes.

-- Whether the part belongs to the upload that the job reads. The others are parts of its result.
alter table job_files add column is_upload boolean not null default false;

-- When the file was deleted, because it might hold a user who was erased.
alter table jobs add column file_removed_at timestamptz;
