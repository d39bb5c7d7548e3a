-- Run only where the citus extension is: spreads the tables of 0027_versions.sql.

select create_distributed_table('order_recounts', 'seller_id', colocate_with => 'orders');
