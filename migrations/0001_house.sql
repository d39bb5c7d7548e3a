-- Tables and indexes. Rules that let the same schema be spread over a Citus cluster
-- (docs/decisions/0004-one-schema-for-one-server-and-many.md): ids come from the application; every
-- big table leads its primary key with the column it is distributed by; no triggers, no sequences.

-- What is read and written whole is `json`, not `jsonb`: it comes back in the order it was written.

-- Shared by all, written rarely: reference tables on a cluster.

create table id_blocks (
  kind text primary key,
  next_id bigint not null
);

create table users (
  id bigint primary key,
  site_id text not null,
  nickname text not null,
  profile json not null,
  status text not null default 'active' check (status in ('active', 'deactivated')),
  -- As searches compare it: case and accents folded.
  nickname_folded text not null,
  -- How an order shows this user, ready to send (contract 2.2): as its buyer in both formats, as its
  -- seller in the wider one.
  as_buyer text not null,
  as_buyer_new text not null,
  as_seller text not null,
  date_created timestamptz not null,
  last_updated timestamptz not null
);

-- Order search finds the counterpart by how its nickname begins (contract 4.3, q).
create index users_by_nickname on users (nickname_folded text_pattern_ops) include (id);

-- Every conversation asks whether a party of it is among these few.
create index users_deactivated on users (id) where status = 'deactivated';

create table applications (
  id bigint primary key,
  name text not null,
  secret_hash text not null,
  callback_url text,
  topics text[] not null,
  -- Whether somebody follows its notifications from elsewhere than its callback.
  is_listened boolean not null default false,
  date_created timestamptz not null,
  last_updated timestamptz not null
);

create table authorizations (
  user_id bigint not null,
  application_id bigint not null,
  scopes text[] not null,
  date_created timestamptz not null,
  primary key (user_id, application_id)
);
create index authorizations_by_application on authorizations (application_id);

create table sandbox_clock (
  only_one boolean primary key check (only_one),
  ahead_ms bigint not null check (ahead_ms >= 0)
);

-- By user: a token names its user, so one look-up is one shard.

create table tokens (
  user_id bigint not null,
  digest text not null,
  application_id bigint,
  scopes text[] not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  primary key (user_id, digest)
);
create index tokens_by_application on tokens (application_id);
create index tokens_by_expiry on tokens (expires_at);

create table idempotency_keys (
  key text primary key,
  fingerprint text not null,
  result text,
  recorded_at timestamptz not null
);
create index idempotency_keys_by_age on idempotency_keys (recorded_at);

-- By seller.

create table item_owner (
  item_id text primary key,
  seller_id bigint not null
);

create table listings (
  seller_id bigint not null,
  id text not null,
  site_id text not null,
  title text not null,
  category_id text not null,
  currency_id text not null,
  price numeric(15, 2) not null check (price >= 0),
  status text not null check (status in ('active', 'paused', 'closed')),
  details json not null,
  date_created timestamptz not null,
  last_updated timestamptz not null,
  primary key (seller_id, id)
);
-- Categories are counted along this alone; top values read what was listed lately in some.
create index listings_by_category on listings (category_id, status, date_created);

-- One row a variation; variation 0 is a listing without variations.
create table listing_stock (
  seller_id bigint not null,
  item_id text not null,
  variation_id bigint not null,
  available_quantity int not null check (available_quantity >= 0),
  sold_quantity int not null check (sold_quantity >= 0),
  attributes json not null,
  seller_sku text,
  primary key (seller_id, item_id, variation_id)
);

create table shipments (
  seller_id bigint not null,
  id bigint not null,
  buyer_id bigint not null,
  mode text not null check (mode in ('me1', 'me2', 'custom', 'not_specified')),
  logistic_type text check (logistic_type in
    ('drop_off', 'xd_drop_off', 'cross_docking', 'fulfillment', 'self_service', 'default')),
  status text not null check (status in ('to_be_agreed', 'pending', 'handling', 'ready_to_ship',
    'shipped', 'delivered', 'not_delivered', 'cancelled')),
  details json not null,
  -- The `shipping` of an order in the wider format (contract 2.2), ready to send.
  as_part text not null,
  date_created timestamptz not null,
  last_updated timestamptz not null,
  primary key (seller_id, id)
);

create table shipment_owner (
  shipment_id bigint primary key,
  seller_id bigint not null,
  buyer_id bigint not null
);

-- A pack is one buyer's.
create table pack_owner (
  pack_id bigint primary key,
  buyer_id bigint not null
);

create table order_owner (
  order_id bigint primary key,
  seller_id bigint not null,
  buyer_id bigint not null
);

create table orders (
  seller_id bigint not null,
  id bigint not null,
  buyer_id bigint not null,
  site_id text not null,
  status text not null check (status in ('confirmed', 'payment_required', 'payment_in_process',
    'partially_paid', 'paid', 'cancelled', 'invalid', 'manually_cancelled', 'partially_refunded',
    'pending_cancel')),
  pack_id bigint,
  shipment_id bigint,
  currency_id text not null,
  total_amount numeric(17, 2) not null check (total_amount >= 0),
  paid_amount numeric(17, 2) not null check (paid_amount >= 0),
  tags text[] not null,
  date_created timestamptz not null,
  date_closed timestamptz,
  expiration_date timestamptz not null,
  last_updated timestamptz not null,
  -- Whatever else an order has (contract 2.2): read and written whole, never searched.
  details json not null,
  -- The order as it is answered, without the parts that live elsewhere, ready to send; rendered by
  -- the program in every command that changes it. `body_version` tells which shape it has.
  body text not null,
  body_version smallint not null,
  -- What other rooms told of this order as far as it is searched by it: ratings, claims, shipment.
  parts json not null,
  is_rated boolean not null,
  -- When a hidden rating is shown to the other party at the latest; null when none is hidden.
  feedback_due timestamptz,
  is_disputed boolean not null,
  -- What searches walk by: when it was closed, or created as long as it is not.
  sort_date timestamptz not null,
  -- Which row of `order_kinds`, and of `order_baskets`.
  kind bigint not null,
  basket bigint not null,
  primary key (seller_id, id),
  -- Contract 3.1: date_closed is set when the status first becomes confirmed or paid.
  constraint closed_has_a_moment
    check (status not in ('confirmed', 'paid') or date_closed is not null)
) with (
  -- Three to a page, with their bodies compressed. A body apart from its row would be one more page,
  -- found by one more index, for each order that is read.
  toast_tuple_target = 2712,
  -- Searches count and walk on indexes alone, as far as a vacuum has been since the last change.
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.02
);

create table order_items (
  seller_id bigint not null,
  order_id bigint not null,
  position smallint not null,
  item_id text not null,
  variation_id bigint,
  title text not null,
  quantity int not null check (quantity > 0),
  unit_price numeric(15, 2) not null check (unit_price >= 0),
  details json not null,
  primary key (seller_id, order_id, position)
);

create table payments (
  seller_id bigint not null,
  order_id bigint not null,
  id bigint not null,
  status text not null check (status in ('pending', 'authorized', 'in_process', 'in_mediation',
    'approved', 'rejected', 'cancelled', 'refunded', 'charged_back')),
  transaction_amount numeric(17, 2) not null check (transaction_amount >= 0),
  total_paid_amount numeric(17, 2) not null check (total_paid_amount >= 0),
  details json not null,
  date_created timestamptz not null,
  primary key (seller_id, order_id, id)
);

create table payment_owner (
  payment_id bigint primary key,
  seller_id bigint not null,
  order_id bigint not null
);

-- What happened, written in the transaction in which it happened.
-- Changes lie in four slots, by the number of their day modulo four. Nothing in them is updated or
-- deleted row by row, so a transaction that is held open for long leaves no dead rows behind; a slot is
-- emptied whole when its turn comes again.
create table changes (
  slot smallint not null,
  seller_id bigint not null,
  id uuid not null,
  topic text not null,
  resource text not null,
  user_ids bigint[] not null,
  recorded_at timestamptz not null,
  primary key (recorded_at, seller_id, slot, id)
) partition by list (slot);
create index changes_by_resource on changes (resource);
create table changes_0 partition of changes for values in (0);
create table changes_1 partition of changes for values in (1);
create table changes_2 partition of changes for values in (2);
create table changes_3 partition of changes for values in (3);

-- Which of them have been fanned out.
create table taken_changes (
  slot smallint not null,
  seller_id bigint not null,
  id uuid not null,
  recorded_at timestamptz not null,
  primary key (recorded_at, seller_id, slot, id)
) partition by list (slot);
create table taken_changes_0 partition of taken_changes for values in (0);
create table taken_changes_1 partition of taken_changes for values in (1);
create table taken_changes_2 partition of taken_changes for values in (2);
create table taken_changes_3 partition of taken_changes for values in (3);

-- Up to where nearly all changes are taken.
create table fan_out_mark (
  id int primary key check (id = 1),
  reached_at timestamptz not null,
  -- When it was last looked for what was committed late, and how far that has come.
  swept_at timestamptz not null,
  swept_to timestamptz not null
);

-- By application.

-- A lane is one application's callback: where its notifications stand and who works on them.
create table lanes (
  application_id bigint primary key,
  -- Numbers are given out under this row's lock, so their order is the order of commits.
  last_seq bigint not null,
  last_at timestamptz not null,
  -- Everything up to here has had its first attempt.
  cursor_seq bigint not null check (cursor_seq <= last_seq),
  cursor_at timestamptz not null,
  -- When the earliest parked retry is due; null when none is parked.
  retry_due timestamptz,
  -- Who holds the lane, and until when. Every claim raises the fence; settling names it.
  fence bigint not null,
  held_until timestamptz not null,
  -- `paused` and `disabled` lanes are left alone; their cursor stops, so nothing is lost.
  state text not null default 'open' check (state in ('open', 'paused', 'disabled')),
  state_since timestamptz,
  -- Attempts in a row that were not accepted, and since when; whoever fails throughout is probed.
  failures int not null default 0,
  failing_since timestamptz,
  -- Requests under way at once, and a second; null for what the settings say.
  in_flight smallint check (in_flight between 1 and 100),
  rate_per_second int check (rate_per_second between 1 and 10000),
  -- Whether what a later notification says as well is passed over; up to which number in any case.
  coalesces boolean,
  latest_up_to bigint not null default 0
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- History, cut by day (UTC); nothing here is updated or deleted row by row.
create table notifications (
  application_id bigint not null,
  seq bigint not null,
  fanned_at timestamptz not null,
  id text not null,
  user_id bigint not null,
  topic text not null,
  resource text not null,
  received timestamptz not null,
  primary key (application_id, seq, fanned_at)
) partition by range (fanned_at);

-- Bodies are kept as text, byte for byte as they were sent and received.
create table attempts (
  application_id bigint not null,
  seq bigint not null,
  attempt smallint not null,
  sent timestamptz not null,
  outcome text not null check (outcome in
    ('accepted', 'not_200', 'timeout', 'unreachable', 'refused_address')),
  url text not null,
  request_headers text not null,
  request_body text not null,
  req_time_ms int not null,
  http_code smallint,
  response_headers text not null,
  response_body text not null,
  primary key (application_id, seq, attempt, sent)
) partition by range (sent);

-- Notifications that were not accepted: waiting for their next attempt, or (due is null) lost.
create table unaccepted (
  application_id bigint not null,
  seq bigint not null,
  id text not null,
  user_id bigint not null,
  topic text not null,
  resource text not null,
  received timestamptz not null,
  attempts smallint not null,
  due timestamptz,
  primary key (application_id, seq)
);
create index unaccepted_by_due on unaccepted (application_id, due) where due is not null;

-- Notifications that were not sent because a later one says the same, or because the lane was told to
-- leave them out (`into_seq` is null).
create table passed_over (
  application_id bigint not null,
  seq bigint not null,
  at timestamptz not null,
  into_seq bigint,
  primary key (application_id, seq, at)
) partition by range (at);

-- What happened to a lane, for its feed.
create table lane_notes (
  application_id bigint not null,
  id text not null,
  at timestamptz not null,
  kind text not null check (kind in ('disabled', 'paused', 'resumed')),
  details text not null,
  primary key (application_id, id)
);

-- With what deliveries are signed. The newest signs first; older ones go on until they expire.
create table signing_secrets (
  application_id bigint not null,
  id text not null,
  secret text not null,
  date_created timestamptz not null,
  expires_at timestamptz,
  primary key (application_id, id)
);
