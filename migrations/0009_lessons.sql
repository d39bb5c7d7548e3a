-- What listings teach the predictor of categories.

-- Listings that may teach something else than they did: written with the listing, taken by the learner.
create table lesson_notes (
  seller_id bigint not null,
  id uuid not null,
  item_id text not null,
  -- Who put the listing where it is: a seller may merely have accepted what was proposed.
  noted_by text not null check (noted_by in ('operator', 'seller')),
  noted_at timestamptz not null,
  primary key (seller_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- What each listing has taught, so that it can be taken back, and all be learned again.
create table taught_listings (
  seller_id bigint not null,
  item_id text not null,
  site_id text not null,
  category bigint not null,
  title text not null,
  -- In sixteenths of a listing, as they were in that era: each later era halves them. None: it was one
  -- too many of its seller's day.
  count smallint not null check (count >= 0),
  era int not null,
  primary key (seller_id, item_id)
);

-- How many titles a seller has taught for a category on a day (of UTC, since 1970).
create table taught_days (
  seller_id bigint not null,
  day int not null,
  site_id text not null,
  category bigint not null,
  titles int not null,
  primary key (seller_id, day, site_id, category)
);

-- One row. Who holds it teaches.
create table lesson_head (
  id smallint primary key check (id = 1),
  -- Of the last batch of lessons; 0 before the first.
  position bigint not null,
  era int not null,
  era_began timestamptz not null,
  -- The batch that the snapshots stand for, how they are written, and the version of each site's.
  snapshot_position bigint not null,
  snapshot_format int not null,
  snapshot_versions json not null,
  -- Lessons since then.
  lessons_since bigint not null
);

-- Numbered without a gap, and dropped once snapshots stand for them.
create table lessons (
  position bigint primary key,
  entries json not null,
  made_at timestamptz not null
);

create table lesson_snapshots (
  site_id text not null,
  version bigint not null,
  part smallint not null,
  bytes bytea not null,
  primary key (site_id, version, part)
);
alter table lesson_snapshots alter column bytes set storage external;

-- What is listed already teaches too.
insert into lesson_notes (seller_id, id, item_id, noted_by, noted_at)
select seller_id, gen_random_uuid(), id, 'operator', date_created from listings;
