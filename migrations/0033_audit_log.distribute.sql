-- Run only where the citus extension is: spreads the tables of 0033_audit_log.sql.

select create_distributed_table('audit_log', 'id', colocate_with => 'none');
select create_distributed_table('audit_personal_values', 'entry_id', colocate_with => 'audit_log');
select create_distributed_table('audit_results', 'entry_id', colocate_with => 'audit_log');
