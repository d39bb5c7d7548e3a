-- Which tokens an application holds for itself. A release before this one does not say so of the tokens that
-- it issues: null. Such a token, where no user's consent stands behind it (grant_id), counts as one of the
-- application's own as long as its user owns the application, so that a program that holds one goes on working.
alter table tokens add column is_client_credentials boolean;

alter table applications
  -- What it is for, in its owner's words.
  add column description text;
