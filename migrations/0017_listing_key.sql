-- The item first: by a key that began with the site every search went through all listings of the site as
-- well, though its tokens tell the site already (docs/decisions/0015).
alter table listing_index drop constraint listing_index_pkey;
alter table listing_index add primary key (item, site_id);
