-- Accounts and keys of operators that are limited to sites, and the sites of jobs (docs/decisions/0046).

-- Null: all sites.
alter table operator_accounts add column sites text[];
alter table operator_keys add column sites text[];

-- The only site whose data the job changes. Null: unknown, or several.
alter table jobs add column site_id text;
update jobs set site_id = parameters -> 'filter' ->> 'site_id' where kind = 'bulk_listing_change';
