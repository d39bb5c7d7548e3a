-- Changes that are not fanned out yet: written with the change, deleted by whoever fans it out. A change whose
-- commit comes long after its `recorded_at` is found here like any other (docs/decisions/0027-waiting-changes.md).
create table waiting_changes (
  slot smallint not null,
  seller_id bigint not null,
  id uuid not null,
  recorded_at timestamptz not null,
  primary key (recorded_at, seller_id, slot, id)
) with (
  -- All its rows come and go: cleaned up after so many, however large it once was.
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 2000,
  autovacuum_vacuum_insert_threshold = -1
);

insert into waiting_changes (slot, seller_id, id, recorded_at)
select slot, seller_id, id, recorded_at from changes c
where recorded_at >= coalesce((select min(reached_at) from fan_out_mark), '-infinity') - interval '2 minutes'
  and not exists (select from taken_changes t where t.recorded_at = c.recorded_at
    and t.seller_id = c.seller_id and t.slot = c.slot and t.id = c.id);
