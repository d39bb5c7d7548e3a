-- Run only where the citus extension is: spreads the tables of 0006_listings_talk.sql.

select create_distributed_table('question_owner', 'question_id', colocate_with => 'none');
select create_distributed_table('quotation_owner', 'quotation_id', colocate_with => 'none');
select create_distributed_table('picture_owner', 'picture_id', colocate_with => 'none');

select create_distributed_table('questions', 'seller_id', colocate_with => 'orders');
select create_distributed_table('quotations', 'seller_id', colocate_with => 'orders');
select create_distributed_table('picture_errors', 'seller_id', colocate_with => 'orders');
-- An invoice is its seller's, who is the user of its path.
select create_distributed_table('invoices', 'user_id', colocate_with => 'orders');

select create_distributed_table('asked_questions', 'from_id', colocate_with => 'tokens');
