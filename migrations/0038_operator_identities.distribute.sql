-- Run only where the citus extension is: spreads the table of 0038_operator_identities.sql.

select create_reference_table('operator_openid_flows');
