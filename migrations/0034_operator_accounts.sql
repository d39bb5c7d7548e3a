-- Accounts, roles and API keys of operators.

-- Roles beside the built-in ones.
create table operator_roles (
  name text primary key,
  description text,
  permissions text[] not null,
  date_created timestamptz not null,
  last_updated timestamptz not null
);

create table operator_accounts (
  id bigint primary key,
  email text not null,
  -- Without case, as accounts are compared.
  email_folded text not null unique,
  name text not null,
  role text not null,
  status text not null check (status in ('invited', 'active', 'disabled')),
  -- Null until the invitation is accepted.
  password_hash text,
  -- Base32. The pending one takes its place when a code of it was entered.
  totp_secret text,
  totp_pending_secret text,
  -- The 30-second step of the last accepted code: a code is used once.
  totp_last_step bigint,
  invitation_digest text unique,
  invitation_expires_at timestamptz,
  date_created timestamptz not null,
  last_updated timestamptz not null
);

create table operator_recovery_codes (
  account_id bigint not null,
  digest text not null,
  used_at timestamptz,
  primary key (account_id, digest)
);

create table operator_sessions (
  id text primary key,
  account_id bigint not null,
  digest text not null unique,
  network text not null,
  user_agent text,
  date_created timestamptz not null,
  -- Written at most once a minute.
  last_used_at timestamptz not null,
  -- When the password or a code was last entered.
  verified_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index operator_sessions_by_account on operator_sessions (account_id, network);
create index operator_sessions_by_expiry on operator_sessions (expires_at);

create table operator_keys (
  id bigint primary key,
  name text not null,
  role text not null,
  digest text not null unique,
  -- The key before the last rotation, and until when it is accepted.
  previous_digest text unique,
  previous_until timestamptz,
  -- First characters, to tell keys apart.
  begins_with text not null,
  -- CIDR. Empty: any address.
  allowed_addresses text[] not null,
  expires_at timestamptz,
  -- Written at most once a minute.
  last_used_at timestamptz,
  revoked_at timestamptz,
  date_created timestamptz not null
);

-- One row, once it was needed.
create table operator_access (
  id text primary key,
  -- Replaced by every change of accounts, roles and the token: its row lock makes them wait for each other.
  version text not null,
  token_disabled_at timestamptz
);
