-- Run only where the citus extension is: spreads the tables of 0019_limits.sql.

select create_distributed_table('devices', 'user_id', colocate_with => 'tokens');
select create_distributed_table('application_networks', 'application_id', colocate_with => 'none');
