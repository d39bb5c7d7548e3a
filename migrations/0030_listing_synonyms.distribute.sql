-- Run only where the citus extension is: spreads the tables of 0030_listing_synonyms.sql.

select create_reference_table('listing_synonyms');
select create_reference_table('listing_synonym_versions');
