-- Run only where the citus extension is: spreads the tables of 0037_jobs.sql.

-- jobs and job_files stay where they are: a step locks its job, and few jobs run at a time.
