-- Run only where the citus extension is: spreads the tables of 0003_messages.sql.

select create_distributed_table('message_owner', 'message_id', colocate_with => 'none');

select create_distributed_table('conversations', 'seller_id', colocate_with => 'orders');
select create_distributed_table('messages', 'seller_id', colocate_with => 'orders');

select create_distributed_table('unread_messages', 'user_id', colocate_with => 'tokens');
