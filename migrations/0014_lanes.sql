-- Lanes that are not written to while all goes well: who works on one is known by the process, and how
-- far it is by its notifications and attempts.

-- Processes that deliver, each until when it is known to live.
create table holders (
  id uuid primary key,
  alive_until timestamptz not null
) with (fillfactor = 10);

alter table lanes rename column held_until to rests_until;
-- Who works on the lane; null for nobody. One that lives no longer holds nothing.
alter table lanes add column holder uuid;
-- Whether something may wait for its first attempt. Set with the first notification, cleared by
-- whoever lets go of the lane and finds nothing more.
alter table lanes add column is_waiting boolean not null default true;
-- `last_seq` and `last_at`, `cursor_seq` and `cursor_at` are beginnings now: see src/notifications/store-standing.ts.
