-- Run only where the citus extension is: spreads the tables of 0034_operator_accounts.sql.

select create_reference_table('operator_roles');
select create_reference_table('operator_accounts');
select create_reference_table('operator_recovery_codes');
select create_reference_table('operator_sessions');
select create_reference_table('operator_keys');
select create_reference_table('operator_access');
