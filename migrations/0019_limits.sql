-- What limits on guessing know of honest callers, and what the quota of uploads is counted by.

-- Browsers in which a user has signed in: attempts from there are counted apart from those of strangers.
create table devices (
  user_id bigint not null,
  digest text not null,
  date_created timestamptz not null,
  expires_at timestamptz not null,
  primary key (user_id, digest)
);
create index devices_by_expiry on devices (expires_at);

-- Networks from which an application has got tokens lately: refusals of others there do not hold it up.
create table application_networks (
  application_id bigint not null,
  network text not null,
  expires_at timestamptz not null,
  primary key (application_id, network)
);
create index application_networks_by_expiry on application_networks (expires_at);

-- Files that are attached to no message, with what they take.
create index attachments_unattached on attachments (user_id) include (size, expires_at)
  where expires_at is not null;
