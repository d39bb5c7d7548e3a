-- What sellers list by themselves.

-- What a service costs may be left open (contract 2.13: a price is optional there).
alter table listings alter column price drop not null;

-- Apart from the listings: read by itself, and longer than all the rest of one.
create table listing_descriptions (
  seller_id bigint not null,
  item_id text not null,
  plain_text text not null,
  date_created timestamptz not null,
  last_updated timestamptz not null,
  primary key (seller_id, item_id)
);

-- A seller's own, the newest first.
create index listings_by_seller on listings (seller_id, date_created, id);
