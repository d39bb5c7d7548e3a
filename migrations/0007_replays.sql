-- Looking back: what finds notifications in their history, and replays.

-- Feeds that begin in the past, replays of a span and the way from a change to its notification. New
-- rows come in at the end of each application's part, like those of the primary key: the writing of a
-- notification and its attempt went from 44,000 to 39,000 a second with it on one connection, and by
-- resource, where they come in anywhere, to 25,000.
create index notifications_by_received on notifications (application_id, received, seq);

-- Feeds of one kind of failure. Accepted attempts, nearly all, are not in it.
create index attempts_failed on attempts (application_id, seq, outcome) where outcome <> 'accepted';

-- Notifications that are sent once more, because somebody asked for them.
create table replays (
  application_id bigint not null,
  id text not null,
  -- waiting → running → finished; both may be paused, and then wait again; all may be cancelled.
  state text not null check (state in ('waiting', 'running', 'paused', 'finished', 'cancelled')),
  -- Which ones: received since then, up to then; null for every topic.
  since timestamptz not null,
  until timestamptz not null,
  topics text[],
  failed_only boolean not null,
  -- What its lane was done with when it was asked for: the rest has its first delivery before it.
  up_to_seq bigint not null,
  rate_per_second int not null check (rate_per_second between 1 and 1000),
  total bigint not null,
  done bigint not null,
  accepted bigint not null check (accepted <= done),
  -- The last that was sent.
  position_at timestamptz,
  position_seq bigint not null,
  date_created timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  -- When its rate lets the next one go.
  next_at timestamptz not null,
  -- Who works on it, and until when, as with a lane.
  fence bigint not null,
  held_until timestamptz not null,
  primary key (application_id, id),
  constraint ended_has_a_moment
    check ((state in ('finished', 'cancelled')) = (finished_at is not null))
) with (fillfactor = 70);
-- One at a time for each application.
create unique index replays_running on replays (application_id) where state = 'running';
create index replays_open on replays (next_at) where state in ('waiting', 'running');
