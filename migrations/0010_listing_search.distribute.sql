-- Run only where the citus extension is: spreads the tables of 0010_listing_search.sql. A site's search is
-- on one server: it asks one shard.

select create_distributed_table('listing_index', 'site_id', colocate_with => 'none');
select create_distributed_table('listing_tiers', 'site_id', colocate_with => 'listing_index');
select create_distributed_table('listing_values', 'site_id', colocate_with => 'listing_index');
select create_distributed_table('listing_words', 'site_id', colocate_with => 'listing_index');
select create_distributed_table('listing_word_notes', 'site_id', colocate_with => 'listing_index');
select create_distributed_table('listing_folds', 'site_id', colocate_with => 'listing_index');
-- listing_walk stays where it is.
