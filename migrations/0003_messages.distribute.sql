-- Run only where the citus extension is: spreads the tables of 0003_messages.sql.

select create_distributed_table('message_owner', 'message_id', colocate_with => 'none');

select create_distributed_table('messages', 'seller_id', colocate_with => 'orders');
