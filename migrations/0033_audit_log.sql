-- What operators changed. Entries are only added, and dropped by day
-- (docs/decisions/0041-audit-log.md).
create table audit_log (
  recorded_at timestamptz not null,
  -- The id of the request, which each process begins at random.
  id text not null,
  -- `token`, or the kind and the id: `account:5`.
  actor text not null,
  actor_name text,
  -- Method and path: `PATCH /operator/orders/{order_id}`.
  operation text not null,
  target_kind text not null,
  target_id text not null,
  reason text,
  -- JSON objects: the fields that differ, without personal values.
  before text,
  after text,
  -- The users of whom `audit_personal_values` had values.
  personal_users bigint[] not null,
  primary key (recorded_at, id)
) partition by range (recorded_at);

create index audit_log_by_target on audit_log (target_kind, target_id, recorded_at, id);
create index audit_log_by_actor on audit_log (actor, recorded_at, id);
create index audit_log_by_operation on audit_log (operation, recorded_at, id);

-- Personal values of a user in an entry. Deleting those of a user leaves the entry.
create table audit_personal_values (
  recorded_at timestamptz not null,
  entry_id text not null,
  user_id bigint not null,
  before text,
  after text,
  primary key (recorded_at, entry_id, user_id)
) partition by range (recorded_at);

create index audit_personal_values_by_user on audit_personal_values (user_id);

-- Counts of operations that went on after their first transaction.
create table audit_results (
  recorded_at timestamptz not null,
  entry_id text not null,
  result text not null,
  primary key (recorded_at, entry_id)
) partition by range (recorded_at);
