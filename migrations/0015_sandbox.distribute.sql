-- Run only where the citus extension is: spreads the tables of 0015_sandbox.sql.

select create_reference_table('sandbox_answer_faults');
select create_reference_table('sandbox_simulations');
select create_reference_table('sandbox_stories');
select create_reference_table('sandbox_snapshots');
select create_reference_table('sandbox_world');
