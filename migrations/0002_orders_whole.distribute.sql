-- Run only where the citus extension is: spreads the tables of 0002_orders_whole.sql.

select create_distributed_table('feedback_owner', 'feedback_id', colocate_with => 'none');
select create_distributed_table('claim_owner', 'claim_id', colocate_with => 'none');

select create_distributed_table('order_kinds', 'seller_id', colocate_with => 'orders');
select create_distributed_table('order_baskets', 'seller_id', colocate_with => 'orders');
select create_distributed_table('order_counts', 'seller_id', colocate_with => 'orders');
select create_distributed_table('order_count_changes', 'seller_id', colocate_with => 'orders');
select create_distributed_table('feedback', 'seller_id', colocate_with => 'orders');
select create_distributed_table('claims', 'seller_id', colocate_with => 'orders');
select create_distributed_table('order_notes', 'seller_id', colocate_with => 'orders');

select create_distributed_table('orders_by_buyer', 'buyer_id', colocate_with => 'none');

select create_reference_table('currency_rates');
select create_reference_table('sandbox_faults');
