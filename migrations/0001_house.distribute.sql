-- Run only where the citus extension is: spreads the tables of 0001_house.sql.

select create_reference_table('id_blocks');
select create_reference_table('users');
select create_reference_table('applications');
select create_reference_table('authorizations');
select create_reference_table('sandbox_clock');
select create_reference_table('fan_out_mark');

select create_distributed_table('tokens', 'user_id');
select create_distributed_table('idempotency_keys', 'key', colocate_with => 'none');
select create_distributed_table('item_owner', 'item_id', colocate_with => 'none');
select create_distributed_table('order_owner', 'order_id', colocate_with => 'none');
select create_distributed_table('payment_owner', 'payment_id', colocate_with => 'none');
select create_distributed_table('shipment_owner', 'shipment_id', colocate_with => 'none');
select create_distributed_table('pack_owner', 'pack_id', colocate_with => 'none');

select create_distributed_table('orders', 'seller_id', colocate_with => 'none');
select create_distributed_table('order_items', 'seller_id', colocate_with => 'orders');
select create_distributed_table('payments', 'seller_id', colocate_with => 'orders');
select create_distributed_table('shipments', 'seller_id', colocate_with => 'orders');
select create_distributed_table('listings', 'seller_id', colocate_with => 'orders');
select create_distributed_table('listing_stock', 'seller_id', colocate_with => 'orders');
select create_distributed_table('changes', 'seller_id', colocate_with => 'orders');
select create_distributed_table('taken_changes', 'seller_id', colocate_with => 'orders');

select create_distributed_table('lanes', 'application_id', colocate_with => 'none');
select create_distributed_table('notifications', 'application_id', colocate_with => 'lanes');
select create_distributed_table('attempts', 'application_id', colocate_with => 'lanes');
select create_distributed_table('unaccepted', 'application_id', colocate_with => 'lanes');
select create_distributed_table('passed_over', 'application_id', colocate_with => 'lanes');
select create_distributed_table('lane_notes', 'application_id', colocate_with => 'lanes');
select create_distributed_table('signing_secrets', 'application_id', colocate_with => 'lanes');
