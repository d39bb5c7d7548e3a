-- Rules of moderation that the operator switches, and what moderation decided in a period.

-- A row of one site precedes that of all sites.
create table moderation_rules (
  rule text not null,
  -- '*' is all sites.
  site_id text not null,
  is_enabled boolean not null,
  note text,
  last_updated timestamptz not null,
  primary key (rule, site_id)
);

-- Messages that were held back, those that the operator released included: counted by rule, and exported.
-- The comparison is with a constant because the planner takes `is not null` of an expression to hold for nearly all rows.
create index messages_decided on messages (date_created, id)
  where status = 'moderated' or json_typeof(details #> '{moderation,overruledAt}') = 'string';

-- The newest messages of all sellers: changed terms are tried on them.
create index messages_by_date on messages (date_created);
