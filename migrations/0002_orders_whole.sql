-- Order search, and what else belongs to an order.

-- Composite GIN: the seller leads, so that a search reads that seller's entries only.
create extension if not exists btree_gin;

-- By seller.

-- Everything with few values that searches filter on (status, tags, ratings, claims, shipment), as one
-- value: a kind is the hash of its facets, so it never changes and needs no number given out.
create table order_kinds (
  seller_id bigint not null,
  kind bigint not null,
  facets json not null,
  primary key (seller_id, kind)
);

-- What was bought: the hash of the items and titles of an order, with the words to find it by (of the
-- titles, and the ids of the items). Many orders share one, so that a word is looked up among titles
-- and not among orders.
create table order_baskets (
  seller_id bigint not null,
  basket bigint not null,
  words text[] not null,
  primary key (seller_id, basket)
);
create index order_baskets_by_word on order_baskets using gin (seller_id, words);

-- How many orders of each kind there are: in all (dimension 0), by day created (1), by day of
-- sort_date (2), by day last updated (3), by basket (4), by word (5, its hash). Days are counted from
-- 1970 (UTC).
create table order_counts (
  seller_id bigint not null,
  dimension smallint not null check (dimension between 0 and 5),
  bucket bigint not null,
  kind bigint not null,
  n bigint not null,
  primary key (seller_id, dimension, bucket, kind)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

-- What has not been added to `order_counts` yet: written with the order itself, so that both together
-- are always exact, without two orders ever waiting for one counter.
create table order_count_changes (
  seller_id bigint not null,
  id uuid not null,
  kind bigint not null,
  basket bigint not null,
  created_day int not null,
  sort_day int not null,
  updated_day int not null,
  n int not null,
  primary key (seller_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

create index orders_by_date on orders (seller_id, sort_date, id) include (kind, basket, buyer_id);
create index orders_by_kind on orders (seller_id, kind, sort_date, id);
create index orders_by_basket on orders (seller_id, basket, sort_date, id) include (kind);
-- By day and within it as searches walk: a window of days is merged from their beginnings.
create index orders_by_creation on orders
  (seller_id, ((date_created at time zone 'UTC')::date), sort_date, id) include (kind, date_created);
create index orders_by_update_day on orders
  (seller_id, ((last_updated at time zone 'UTC')::date), sort_date, id) include (kind, last_updated);
create index orders_by_update on orders (seller_id, last_updated, id) include (kind, sort_date);
create index orders_by_total on orders (seller_id, total_amount, id) include (kind);
create index orders_by_their_buyer on orders (seller_id, buyer_id, sort_date, id)
  include (kind, basket);
create index orders_by_pack on orders (seller_id, pack_id) where pack_id is not null;
create index orders_by_shipment on orders (seller_id, shipment_id) where shipment_id is not null;
create index orders_by_feedback_due on orders (feedback_due) where feedback_due is not null;

-- Ratings (wire 2): the seller's is the `sale`, the buyer's the `purchase`.
create table feedback (
  seller_id bigint not null,
  order_id bigint not null,
  role text not null check (role in ('sale', 'purchase')),
  id bigint not null,
  fulfilled boolean not null,
  rating text not null check (rating in ('positive', 'neutral', 'negative')),
  -- Since when both parties may read it; null as long as only its author may.
  visibility_date timestamptz,
  details json not null,
  -- What the order shows of it, ready to send.
  as_part text not null,
  date_created timestamptz not null,
  last_updated timestamptz not null,
  primary key (seller_id, order_id, role)
);

create table claims (
  seller_id bigint not null,
  id bigint not null,
  buyer_id bigint not null,
  order_id bigint not null,
  type text not null,
  stage text not null,
  status text not null check (status in ('opened', 'closed')),
  details json not null,
  date_created timestamptz not null,
  last_updated timestamptz not null,
  primary key (seller_id, id)
);
create index claims_by_order on claims (seller_id, order_id, id);

create table order_notes (
  seller_id bigint not null,
  order_id bigint not null,
  id bigint not null,
  author_id bigint not null,
  note text not null check (length(note) between 1 and 300),
  date_created timestamptz not null,
  last_updated timestamptz not null,
  primary key (seller_id, order_id, id)
);

-- By the id that a caller knows.

create table feedback_owner (
  feedback_id bigint primary key,
  seller_id bigint not null,
  order_id bigint not null,
  role text not null
);

create table claim_owner (
  claim_id bigint primary key,
  seller_id bigint not null,
  buyer_id bigint not null
);

-- By buyer: what a buyer's searches filter on and walk by.
create table orders_by_buyer (
  buyer_id bigint not null,
  order_id bigint not null,
  seller_id bigint not null,
  kind bigint not null,
  pack_id bigint,
  date_created timestamptz not null,
  sort_date timestamptz not null,
  last_updated timestamptz not null,
  total_amount numeric(17, 2) not null,
  words text[] not null,
  facets json not null,
  primary key (buyer_id, order_id)
);
create index orders_by_buyer_by_creation on orders_by_buyer (buyer_id, date_created, order_id);
create index orders_by_buyer_by_pack on orders_by_buyer (buyer_id, pack_id)
  where pack_id is not null;

-- Shared by all, written rarely.

-- What one unit of `base` is worth in `quote`.
create table currency_rates (
  base text not null,
  quote text not null,
  rate numeric not null check (rate > 0),
  date_created timestamptz not null,
  primary key (base, quote)
);

create table sandbox_faults (
  name text primary key
);
