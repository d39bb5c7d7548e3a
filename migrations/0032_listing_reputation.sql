-- The reputation of its seller that a row of the index was ranked by, in thousandths (search/index/score.ts). A write of
-- a listing takes it from here, because counting the ratings would double the time of the write.
alter table listing_index add column reputation smallint not null default 0;
