import type pg from 'pg'

/**
 * What the migration runner meets on a Citus cluster, on plain PostgreSQL: the functions that distribute a
 * table, the catalog of those that are, and the refusals that shape the runner. Nothing is distributed.
 */
const standIn = `
  create table pg_dist_partition (logicalrelid regclass primary key, partkey text);
  create function stand_in_distribute(target regclass, partkey text, colocate_with text)
    returns void language plpgsql as $$
  begin
    if exists (select from pg_dist_partition where logicalrelid = target) then
      raise 'table "%" is already distributed', target;
    end if;
    if exists (select from pg_constraint
        where contype = 'f' and conparentid = 0 and target::oid in (conrelid, confrelid)) then
      raise 'cannot create foreign key constraint: "%" has foreign keys', target;
    end if;
    if colocate_with <> 'none' and not exists (select from pg_dist_partition
        where logicalrelid = to_regclass(colocate_with)) then
      raise 'relation "%" is not distributed', colocate_with;
    end if;
    insert into pg_dist_partition values (target, partkey);
  end $$;
  create function create_distributed_table(target regclass, partkey text, colocate_with text default 'none')
    returns void language sql as $$ select stand_in_distribute(target, partkey, colocate_with) $$;
  create function create_reference_table(target regclass)
    returns void language sql as $$ select stand_in_distribute(target, null, 'none') $$;
  create function stand_in_check() returns event_trigger language plpgsql as $$
  begin
    if exists (select from pg_event_trigger_ddl_commands() d
        join pg_dist_partition p on p.logicalrelid = d.objid)
      and regexp_count(regexp_replace(current_query(), '--[^\\n]*', '', 'g'), ';\\s*\\S') > 0 then
      raise 'cannot insert multiple commands into a prepared statement';
    end if;
    if exists (select from pg_constraint k
        where k.contype = 'f' and k.conparentid = 0
          and exists (select from pg_dist_partition p where p.logicalrelid = k.confrelid)
            <> exists (select from pg_dist_partition p where p.logicalrelid = k.conrelid)) then
      raise 'foreign keys from local tables to distributed tables are not supported';
    end if;
  end $$;
  create event trigger stand_in_check on ddl_command_end
    when tag in ('ALTER TABLE', 'CREATE TABLE') execute function stand_in_check();`

export async function installClusterStandIn(client: pg.Client): Promise<void> {
  await client.query(standIn)
}
