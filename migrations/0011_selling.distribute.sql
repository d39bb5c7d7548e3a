-- Run only where the citus extension is: spreads the tables of 0011_selling.sql.

select create_distributed_table('listing_descriptions', 'seller_id', colocate_with => 'orders');
