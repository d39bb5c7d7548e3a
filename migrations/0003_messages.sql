-- Post-sale messages.

-- A conversation is that of a pack with its seller; an order without a pack is its own pack.
create table conversations (
  seller_id bigint not null,
  pack_id bigint not null,
  buyer_id bigint not null,
  -- How many messages each party sees: all but what was moderated of the other's.
  seen_by_seller int not null default 0,
  seen_by_buyer int not null default 0,
  last_message_at timestamptz,
  buyer_wrote_at timestamptz,
  -- How often each option of the action guide was used: {"OTHER":1}
  spent json not null default '{}',
  -- What the operator or the buyer ended it with.
  block text check (block in ('blocked_by_buyer', 'blocked_by_restrictions')),
  blocked_at timestamptz,
  primary key (seller_id, pack_id),
  constraint blocked_at_some_time check ((block is null) = (blocked_at is null))
);

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
  date_created timestamptz not null,
  date_available timestamptz,
  date_notified timestamptz,
  date_read timestamptz,
  -- Whatever else a message has: read and written whole, never searched.
  details json not null,
  -- The message in the new format (contract 2.10), ready to send.
  body text not null,
  primary key (seller_id, pack_id, id),
  constraint between_the_parties check (from_id <> to_id
    and from_id in (seller_id, buyer_id) and to_id in (seller_id, buyer_id))
);
create index messages_by_creation on messages (seller_id, pack_id, date_created, id);
create index messages_unread on messages (seller_id, pack_id, to_id)
  where date_read is null and status = 'available';
-- The operator's queue, of all sellers.
create index messages_held_back on messages (date_created, id) where status = 'moderated';

-- By the id that a caller knows.
create table message_owner (
  message_id text primary key,
  seller_id bigint not null,
  pack_id bigint not null
);

-- How many messages a user has not read, conversation by conversation: by the reader, who is the
-- buyer of one and the seller of another.
create table unread_messages (
  user_id bigint not null,
  seller_id bigint not null,
  pack_id bigint not null,
  n int not null check (n > 0),
  primary key (user_id, seller_id, pack_id)
);
