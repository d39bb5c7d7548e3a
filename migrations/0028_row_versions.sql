-- Versions of what is derived in a row of its own (docs/decisions/0031).

-- What a listing is found by and how it is shown.
alter table listing_index add column version smallint not null default 1;

-- How users, shipments and ratings are shown as parts of an order, and how a nickname is compared.
alter table users add column text_version smallint not null default 1;
alter table shipments add column text_version smallint not null default 1;
alter table feedback add column text_version smallint not null default 1;

-- How far the walks have come that make rows of earlier versions anew.
create table row_walks (
  name text primary key,
  version smallint not null,
  -- The key of the last row that was passed, as a JSON array; null at the beginning of a round.
  passed_key json,
  passed bigint not null,
  rounds smallint not null,
  ended_at timestamptz
);
