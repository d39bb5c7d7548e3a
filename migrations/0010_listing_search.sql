-- What listings are searched by (docs/decisions/0015).

-- One narrow row for each listing that anybody may find: whoever counts or sorts many of them touches no
-- more pages than he must. Tokens and body lie out of line, uncompressed: the one is read by way of its
-- index, the other for a page at a time. PostgreSQL puts things out of line in rows of more than 2 KB only;
-- bodies are filled up to that.
create table listing_index (
  site_id text not null,
  -- The digits of its id.
  item bigint not null,
  seller_id bigint not null,
  -- In hundredths of the site's currency; null where it is left open.
  price bigint,
  -- Category, condition, shipping and way of selling, packed (search/kinds.ts).
  kind int not null,
  -- Which come first, in hundredths of a day; the higher the sooner.
  score int not null,
  -- 0 for the best 64th of its category, 1 for the best 16th, 2 for the best quarter, 3 for the rest.
  tier smallint not null,
  -- Where the price lies on the scale of price ranges; -1 where there is none.
  band smallint not null,
  -- By which rules and which path of its category the row was made: others are made anew.
  form int not null,
  -- Numbers of the values that it has, see listing_values.
  attributes bigint[] not null,
  tokens tsvector not null,
  -- How a search shows it, ready to send but for what sales change.
  body text not null,
  primary key (site_id, item)
) with (toast_tuple_target = 128);
alter table listing_index alter column attributes set storage plain;
alter table listing_index alter column tokens set storage external;
alter table listing_index alter column body set storage external;
-- Without statistics PostgreSQL takes every set of tokens for rare, and so always goes by the index:
-- which it has to, for the few statements that ask for much are made to find it so.
alter table listing_index alter column tokens set statistics 0;
-- No pending list: every search would read through it.
create index listing_index_by_token on listing_index using gin (tokens) with (fastupdate = off);

-- From which scores on a listing is of the first tiers of its category.
create table listing_tiers (
  site_id text not null,
  category int not null,
  steps int[] not null,
  primary key (site_id, category)
);

-- A value of an attribute by its number, as somebody first wrote it.
create table listing_values (
  site_id text not null,
  value bigint not null,
  attribute_id text not null,
  value_id text not null,
  value_name text not null,
  primary key (site_id, value)
);

-- In how many listings a word is. Generations count the foldings of a site: who knows the words of one
-- reads those of later ones.
create table listing_words (
  site_id text not null,
  word text collate "C" not null,
  n bigint not null,
  generation bigint not null,
  primary key (site_id, word)
);
create index listing_words_by_generation on listing_words (site_id, generation);

-- What became of words and has not been added up yet.
create table listing_word_notes (
  site_id text not null,
  id uuid not null,
  words text[] not null,
  n int[] not null,
  primary key (site_id, id)
);

create table listing_folds (
  site_id text primary key,
  generation bigint not null
);

-- How far the walk through all listings has come that keeps their scores new. One row, on a cluster as
-- well: whoever walks holds its lock.
create table listing_walk (
  id smallint primary key,
  seller_id bigint not null,
  item_id text not null,
  -- By which catalogue and rules the last whole round was walked, in thousands and ones.
  made bigint not null default 1
);
insert into listing_walk (id, seller_id, item_id) values (1, 0, '');
