-- Run only where the citus extension is: spreads the table of 0035_personal_data.sql.

select create_reference_table('user_erasures');
