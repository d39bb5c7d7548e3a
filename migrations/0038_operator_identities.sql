-- Sign-in of operators with OpenID Connect (docs/decisions/0045-openid-connect.md).

-- The identity at a provider by which an account signs in. All three are null without a link.
alter table operator_accounts add column identity_issuer text;
alter table operator_accounts add column identity_subject text;
alter table operator_accounts add column identity_linked_at timestamptz;
create unique index operator_accounts_by_identity on operator_accounts (identity_issuer, identity_subject);

-- Sign-ins at the provider that have begun. A row is deleted by its use, or minutes later.
create table operator_openid_flows (
  -- SHA-256 of the state.
  id text primary key,
  purpose text not null check (purpose in ('sign-in', 'link', 'verification')),
  -- Who links or verifies. Null for a sign-in.
  account_id bigint,
  -- SHA-256 of the verifier, which only the browser has.
  verifier_digest text not null,
  nonce text not null,
  -- Who the provider says it is, while a sign-in waits for a code of the authenticator app.
  subject text,
  date_created timestamptz not null,
  expires_at timestamptz not null
);
create index operator_openid_flows_by_expiry on operator_openid_flows (expires_at);
