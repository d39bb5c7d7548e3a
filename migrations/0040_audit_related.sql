-- Targets that an entry is about beside its own: the order of a claim, the user of an invoice. Each is the kind, a colon
-- and the id: `order:2000003508419013`.
alter table audit_log add column related text[] not null default '{}';

create index audit_log_by_related on audit_log using gin (related) where related <> '{}';
