-- The words of a listing in the order of its title, by which a search ranks those that match (docs/decisions/0015).
-- Null in rows of earlier versions, until the walk has rebuilt them. Plain, because it is read with the narrow row.
alter table listing_index add column words text;
alter table listing_index alter column words set storage plain;
