-- Moderation: the operator's terms, and the prints by which copies of a message are known.

create table moderation_terms (
  -- Made of kind, value and site: registering the same term again replaces it.
  id text primary key,
  kind text not null check (kind in ('word', 'domain', 'allowed_word', 'allowed_domain')),
  value text not null,
  reason text,
  site_id text,
  note text,
  date_created timestamptz not null,
  constraint refused_for_a_reason check ((reason is null) = (kind like 'allowed%'))
);

-- Another one whenever a term changes; whoever judges a message reads it first.
create table moderation_version (
  id int primary key check (id = 1),
  version text not null
);

-- What sellers' software sent in the last minutes: to which packs, and when, a text with this print.
-- Found by print: a seller with much to say has thousands of texts here, and few that are alike.
create table message_prints (
  seller_id bigint not null,
  print bigint not null,
  pack_id bigint not null,
  sent_at timestamptz not null,
  primary key (seller_id, print, pack_id)
);
