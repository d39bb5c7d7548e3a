-- Run only where the citus extension is: spreads the table of 0029_moderation_rules.sql.

select create_reference_table('moderation_rules');
