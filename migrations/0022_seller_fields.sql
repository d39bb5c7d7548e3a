-- What sellers say of their items beyond what Feria acts on, and how they find them again.

-- Pictures, further attributes and codes of a variation. Null where its seller says none of them, and in rows
-- of a release before this one.
alter table listing_stock add column details jsonb;

-- A SKU stands in one of several places; src/listings/own/store.ts asks by these very expressions. Indexes on
-- expressions find the rows of a release before this one too, those that it goes on writing included.
create index listings_by_sku on listings using gin (seller_id, (array[
  details ->> 'sellerCustomField',
  details ->> 'sellerSku',
  jsonb_path_query_first(details::jsonb,
    '$.attributes[*] ? (@.id == "SELLER_SKU").value_name') #>> '{}'
]));
create index listing_stock_by_sku on listing_stock using gin (seller_id, (array[
  seller_sku,
  details ->> 'seller_custom_field',
  jsonb_path_query_first(details, '$.attributes[*] ? (@.id == "SELLER_SKU").value_name') #>> '{}'
]));

-- A page of a seller's own items, in one status or in all: those that were deleted are not found.
create index listings_own on listings (seller_id, date_created, id)
  where not coalesce((details -> 'subStatus')::jsonb ? 'deleted', false);
create index listings_own_by_status on listings (seller_id, status, date_created, id)
  where not coalesce((details -> 'subStatus')::jsonb ? 'deleted', false);
drop index listings_by_seller;
