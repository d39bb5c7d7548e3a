-- Owners list their applications.
create index applications_by_owner on applications (owner_id, id) where owner_id is not null;
