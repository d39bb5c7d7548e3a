-- Who ended a code or a refresh token: user, application, operator, or reuse of a spent one. Null where nobody did,
-- and in rows that an older release has ended. A code that is revoked has used_at as well, so that an older
-- release refuses it too.
alter table refresh_tokens add column revoked_by text;
alter table refresh_tokens add constraint refresh_tokens_revoked_by_check
  check (revoked_by in ('user', 'application', 'operator', 'reuse'));
alter table authorization_codes add column revoked_by text;
alter table authorization_codes add constraint authorization_codes_revoked_by_check
  check (revoked_by in ('user', 'application', 'operator', 'reuse'));
