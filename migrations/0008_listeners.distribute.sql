-- Run only where the citus extension is: spreads the tables of 0008_listeners.sql.

select create_reference_table('sandbox_receiver_faults');

select create_distributed_table('listeners', 'application_id', colocate_with => 'lanes');
