-- Post-sale messages.

-- A conversation is that of a pack with its seller; an order without a pack is its own pack.
create table messages (
  seller_id bigint not null,
  pack_id bigint not null,
  id text not null,
  buyer_id bigint not null,
  from_id bigint not null,
  to_id bigint not null,
  text text not null,
  status text not null check (status in
    ('available', 'moderated', 'rejected', 'pending_translation')),
  -- Whatever else a message has: read and written whole, never searched.
  details json not null,
  date_created timestamptz not null,
  primary key (seller_id, pack_id, id),
  constraint between_the_parties check (from_id <> to_id
    and from_id in (seller_id, buyer_id) and to_id in (seller_id, buyer_id))
);
create index messages_by_creation on messages (seller_id, pack_id, date_created, id);

-- By the id that a caller knows.
create table message_owner (
  message_id text primary key,
  seller_id bigint not null,
  pack_id bigint not null
);
