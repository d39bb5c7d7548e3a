-- Searches of the operator over the orders of all sellers (docs/decisions/0048-operator-order-search.md).

-- The orders of facet groups: gathered with all that pages are sorted by, or counted.
create index orders_by_group on orders (kind, site_id, date_created, id)
  include (seller_id, date_closed, last_updated, total_amount);

-- Pages in each order. The columns behind are tested on the way. Reports read spans of days from the first one.
drop index orders_by_date_created;
create index orders_by_date_created on orders (date_created, id)
  include (seller_id, buyer_id, kind, basket, site_id, date_closed);
create index orders_by_date_updated on orders (last_updated, id)
  include (seller_id, buyer_id, kind, basket, site_id, date_created, date_closed);
create index orders_by_amount on orders (total_amount, id)
  include (seller_id, buyer_id, kind, basket, site_id, date_created, date_closed);

-- Nearly all payments are approved, and an index would not narrow the search for them.
create index payments_by_status on payments (status) include (seller_id, order_id)
  where status <> 'approved';

create index order_items_by_sku on order_items
  (coalesce(details #>> '{item,seller_sku}', details #>> '{item,seller_custom_field}'))
  include (seller_id, order_id)
  where coalesce(details #>> '{item,seller_sku}', details #>> '{item,seller_custom_field}') is not null;
create index shipments_by_tracking_number on shipments ((details #>> '{details,tracking_number}'))
  include (seller_id, id)
  where details #>> '{details,tracking_number}' is not null;
