-- Signing in, and what applications are let do by users (wire 5).

alter table applications
  -- Where answers of the authorisation page may go, compared as they stand.
  add column redirect_uris text[] not null default '{}',
  -- What it may ask users for.
  add column scopes text[] not null default '{offline_access,read,write}',
  add column requires_pkce boolean not null default false,
  -- Runs where no secret can be kept.
  add column is_public boolean not null default false,
  -- In whose name it acts by itself (client credentials).
  add column owner_id bigint,
  -- The secret before the last rotation, and until when it is taken beside it.
  add column previous_secret_hash text,
  add column previous_secret_until timestamptz;

-- What a token came of: all tokens of one consent, by one code, have the same.
alter table tokens add column grant_id text;

-- Who signs in types an address or a nickname.
create index users_by_email on users (lower(profile ->> 'email'));

-- Shared by all, beside users, with whom they are read: reference tables on a cluster.

create table passwords (
  user_id bigint primary key,
  hash text not null,
  changed_at timestamptz not null
);

create table test_users (
  user_id bigint primary key,
  -- Whose account they were made with.
  account_id bigint not null,
  date_created timestamptz not null
);
create index test_users_by_account on test_users (account_id);

-- By user: what a browser or an application bears names its user, as tokens do.

create table sessions (
  user_id bigint not null,
  digest text not null,
  date_created timestamptz not null,
  expires_at timestamptz not null,
  primary key (user_id, digest)
);
create index sessions_by_expiry on sessions (expires_at);

create table authorization_codes (
  user_id bigint not null,
  digest text not null,
  application_id bigint not null,
  redirect_uri text not null,
  -- Of PKCE, by S256.
  challenge text,
  scopes text[] not null,
  grant_id text not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (user_id, digest)
);
create index authorization_codes_by_expiry on authorization_codes (expires_at);

create table refresh_tokens (
  user_id bigint not null,
  digest text not null,
  application_id bigint not null,
  scopes text[] not null,
  grant_id text not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  revoked_at timestamptz,
  primary key (user_id, digest)
);
create index refresh_tokens_by_expiry on refresh_tokens (expires_at);

-- By key: attempts of one account or one address, until they are forgotten.

create table sign_in_attempts (
  key text primary key,
  n int not null,
  ends_at timestamptz not null
);
create index sign_in_attempts_by_end on sign_in_attempts (ends_at);
