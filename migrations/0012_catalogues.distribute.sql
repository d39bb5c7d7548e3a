-- Run only where the citus extension is: spreads the tables of 0012_catalogues.sql.

select create_reference_table('catalogues');
select create_reference_table('catalogue_in_force');
select create_reference_table('category_numbers');
