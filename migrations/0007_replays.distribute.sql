-- Run only where the citus extension is: spreads the table of 0007_replays.sql.

select create_distributed_table('replays', 'application_id', colocate_with => 'lanes');
