-- Foreign keys, added after distribution.

alter table messages add constraint messages_in_conversation
  foreign key (seller_id, pack_id) references conversations (seller_id, pack_id);
