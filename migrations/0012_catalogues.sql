-- Catalogues of the operator's own, in all their versions, and which one is served.

-- Version 0 is the one that comes with the program and has no row. The files are lines of JSON,
-- compressed with gzip, as they are exported.
create table catalogues (
  version int primary key check (version > 0),
  note text,
  categories bytea not null,
  attributes bytea not null,
  domains bytea not null,
  -- What differed from the one before, as it was told to who imported it.
  summary json not null,
  date_created timestamptz not null,
  -- When it was last put in force.
  date_activated timestamptz not null
);

create table catalogue_in_force (
  id int primary key check (id = 1),
  version int not null,
  -- The one before, which is the way back.
  before int
);

-- The number of each category that an operator has brought: it makes its ids, and never changes, also
-- when the category is gone.
create table category_numbers (
  key text primary key,
  number int not null unique check (number > 0),
  date_created timestamptz not null
);
