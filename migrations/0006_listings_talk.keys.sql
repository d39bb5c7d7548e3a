-- Foreign keys, added after distribution: within one seller's shard only.

alter table questions add constraint questions_item
  foreign key (seller_id, item_id) references listings (seller_id, id);
alter table quotations add constraint quotations_item
  foreign key (seller_id, item_id) references listings (seller_id, id);
alter table picture_errors add constraint picture_errors_item
  foreign key (seller_id, item_id) references listings (seller_id, id);
