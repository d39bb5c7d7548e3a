-- Reports read what was created in a span of days, of all sellers.
create index orders_by_date_created on orders (date_created);
create index claims_by_date_created on claims (date_created);
