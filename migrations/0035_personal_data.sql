-- Erasure of the personal data of users (docs/decisions/0043-personal-data.md).

-- Since when the row holds no person any more. It is never set back: the id is not used again.
alter table users add column erased_at timestamptz;

-- How far the erasure of a user is. Each batch of work commits with its row here.
create table user_erasures (
  user_id bigint primary key,
  state text not null check (state in ('running', 'finished')),
  -- The work that comes next, and the key of the last row that it has passed; null at its beginning.
  step text not null,
  passed_key json,
  -- Passes go on until one finds nothing.
  pass smallint not null,
  found bigint not null,
  -- How many rows were erased, by what they are: {"messages": 12}
  erased json not null,
  date_created timestamptz not null,
  last_updated timestamptz not null,
  date_finished timestamptz
);
create index user_erasures_running on user_erasures (last_updated) where state = 'running';

-- Quotations that a user asked for, whoever sells the item.
create index quotations_by_user on quotations (user_id) where user_id is not null;
