-- The words of a listing in the order of its title, by which a search ranks those that match (docs/decisions/0040).
-- Null in rows of earlier versions, until the walk has rebuilt them. Out of line and uncompressed, as tokens and body
-- are: whoever counts many rows does not read it.
alter table listing_index add column words text;
alter table listing_index alter column words set storage external;
