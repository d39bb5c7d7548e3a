-- Foreign keys, added after distribution: within one seller's shard only.

alter table order_items add constraint order_items_order
  foreign key (seller_id, order_id) references orders (seller_id, id);
alter table payments add constraint payments_order
  foreign key (seller_id, order_id) references orders (seller_id, id);
alter table listing_stock add constraint listing_stock_listing
  foreign key (seller_id, item_id) references listings (seller_id, id);
