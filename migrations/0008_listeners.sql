-- Who follows an application's notifications from elsewhere than its callback, and faults of receivers
-- that a sandbox pretends.

-- By application. The cursor is the number of the last notification that was acknowledged; what is
-- filed later than its moment has a higher number.
create table listeners (
  application_id bigint not null,
  name text not null,
  cursor_seq bigint not null check (cursor_seq >= 0),
  cursor_at timestamptz not null,
  date_created timestamptz not null,
  last_seen timestamptz not null,
  primary key (application_id, name)
);

-- Application 0 is every one, the empty topic every topic.
create table sandbox_receiver_faults (
  application_id bigint not null,
  topic text not null,
  kind text not null check (kind in ('delay', 'reorder', 'drop', 'status', 'timeout', 'duplicate')),
  share double precision not null check (share between 0 and 1),
  seed int not null,
  delay_ms int not null,
  status smallint not null,
  primary key (application_id, topic, kind)
);
