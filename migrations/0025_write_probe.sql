-- Written to and emptied again to find out whether the database can add to its files
-- (src/platform/database/write-check.ts).
create table write_probe (filler text not null);
-- Neither compressed nor kept in the row: every probe needs pages of its own.
alter table write_probe alter column filler set storage external;
