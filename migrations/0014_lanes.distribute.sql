-- Run only where the citus extension is: spreads the tables of 0014_lanes.sql.

select create_reference_table('holders');
