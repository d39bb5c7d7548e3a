-- Versions of the rules by which stored data was derived (docs/decisions/0031). A default is the version of
-- the releases that do not know the column.

alter table order_kinds add column version smallint not null default 1;
alter table order_baskets add column version smallint not null default 1;
-- Facet groups of old versions, whose orders are filed anew.
create index order_kinds_by_version on order_kinds (version, seller_id, kind);

-- By which version an order was last filed by a release that knows versions. It says more than the version of
-- the facet group where a release without versions has changed the order since.
alter table orders add column filing_version smallint not null default 1;

-- Sellers whose counts are compared with a plain recount; a row each time somebody finds a reason.
create table order_recounts (
  seller_id bigint not null,
  id uuid not null,
  primary key (seller_id, id)
);
