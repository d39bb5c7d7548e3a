-- The answer that a spent refresh token was exchanged for, encrypted under a key that follows from that token:
-- so that its client can be answered the same once more (decision 24). Null once that is over, and in rows that
-- an older release has written: those get no grace.
alter table refresh_tokens add column successor text;
create index refresh_tokens_with_successor on refresh_tokens (user_id, grant_id)
  where successor is not null;
