-- Foreign keys, added after distribution: within one seller's shard only.

alter table feedback add constraint feedback_order
  foreign key (seller_id, order_id) references orders (seller_id, id);
alter table claims add constraint claims_order
  foreign key (seller_id, order_id) references orders (seller_id, id);
alter table order_notes add constraint order_notes_order
  foreign key (seller_id, order_id) references orders (seller_id, id);
