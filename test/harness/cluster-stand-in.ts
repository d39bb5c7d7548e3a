import type pg from 'pg'

/**
 * What the migration runner meets on a Citus cluster, on plain PostgreSQL: the functions that distribute a
 * table, the catalog of those that are and of the nodes, and the refusals that shape the runner. Nothing is
 * distributed: a coordinator and two workers are one server.
 */
const standIn = `
  create table pg_dist_partition (logicalrelid regclass primary key, partkey text);
  create table pg_dist_node (nodeid int primary key, groupid int not null, nodename text not null,
    nodeport int not null, noderole text not null default 'primary', isactive bool not null default true,
    shouldhaveshards bool not null default true, stand_in_is_down bool not null default false);
  insert into pg_dist_node (nodeid, groupid, nodename, nodeport, shouldhaveshards) values
    (1, 0, 'coordinator', 5432, false), (2, 1, 'worker-1', 5432, true), (3, 2, 'worker-2', 5432, true);
  create function run_command_on_all_nodes(command text)
    returns table (nodeid int, success bool, result text) language plpgsql as $$
  declare
    node record;
  begin
    for node in select * from pg_dist_node n order by n.nodeid loop
      nodeid := node.nodeid;
      success := not node.stand_in_is_down;
      if success then
        execute command into result;
      else
        result := 'failed to connect to ' || node.nodename;
      end if;
      return next;
    end loop;
  end $$;
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
