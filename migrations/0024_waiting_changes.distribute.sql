-- Run only where the citus extension is: spreads the table of 0024_waiting_changes.sql.

select create_distributed_table('waiting_changes', 'seller_id', colocate_with => 'orders');
