-- Run only where the citus extension is: spreads the tables of 0009_lessons.sql.

select create_reference_table('lesson_head');
select create_reference_table('lessons');
select create_reference_table('lesson_snapshots');

select create_distributed_table('lesson_notes', 'seller_id', colocate_with => 'orders');
select create_distributed_table('taught_listings', 'seller_id', colocate_with => 'orders');
select create_distributed_table('taught_days', 'seller_id', colocate_with => 'orders');
