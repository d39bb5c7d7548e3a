-- Foreign keys, added after distribution: within one seller's shard only.

alter table listing_descriptions add constraint listing_descriptions_listing
  foreign key (seller_id, item_id) references listings (seller_id, id);
