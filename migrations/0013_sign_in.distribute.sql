-- Run only where the citus extension is: spreads the tables of 0013_sign_in.sql.

select create_reference_table('passwords');
select create_reference_table('test_users');

select create_distributed_table('sessions', 'user_id', colocate_with => 'tokens');
select create_distributed_table('authorization_codes', 'user_id', colocate_with => 'tokens');
select create_distributed_table('refresh_tokens', 'user_id', colocate_with => 'tokens');
select create_distributed_table('sign_in_attempts', 'key', colocate_with => 'none');
