-- Sales that were paid once and are `confirmed` again. Before decision 25 a full refund left a sale so;
-- src/orders/commands/past-refunds.ts ends those. Few other sales are in it: those that were charged back.
create index orders_confirmed_again on orders (seller_id, id)
  where status = 'confirmed' and (parts ->> 'wasPaid') = 'true';
