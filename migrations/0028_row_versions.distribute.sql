-- Run only where the citus extension is: spreads the tables of 0028_row_versions.sql.

-- row_walks stays where it is.
