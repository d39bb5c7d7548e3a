-- Run only where the citus extension is: spreads the tables of 0004_moderation.sql.

select create_reference_table('moderation_terms');
select create_reference_table('moderation_version');

select create_distributed_table('message_prints', 'seller_id', colocate_with => 'orders');
