-- Whether the process holds an advisory lock of its name for as long as it is connected: one that died is found out
-- by its lock being free, before `alive_until`. False for processes of an older release.
alter table holders add column has_lock boolean not null default false;
