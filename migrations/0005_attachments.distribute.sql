-- Run only where the citus extension is: spreads the table of 0005_attachments.sql.

select create_distributed_table('attachments', 'user_id', colocate_with => 'none');
