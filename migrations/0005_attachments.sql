-- Files that users upload to attach them to messages.

-- By who uploaded, whose number the id begins with. The file itself lies in the file store, under a
-- name that follows from the id.
create table attachments (
  user_id bigint not null,
  id text not null,
  -- uploading → stored → attached; what expires before it is attached is removed: file first, then row.
  state text not null check (state in ('uploading', 'stored', 'attached', 'removing')),
  original_filename text not null,
  type text not null,
  charset text,
  -- Known once the last byte has come.
  size int check (size > 0),
  sha256 text,
  potential_security_threat boolean,
  date_created timestamptz not null,
  -- When it is removed, unless it is attached before.
  expires_at timestamptz,
  -- The message it is attached to, and whose that is.
  seller_id bigint,
  buyer_id bigint,
  pack_id bigint,
  message_id text,
  primary key (user_id, id),
  constraint whole_when_stored check (state in ('uploading', 'removing')
    or (size is not null and sha256 is not null and potential_security_threat is not null)),
  constraint attached_or_expiring check ((state = 'attached') = (expires_at is null)),
  constraint attached_to_a_message check ((state = 'attached') =
    (num_nulls(seller_id, buyer_id, pack_id, message_id) = 0))
);
create index attachments_expiring on attachments (expires_at) where expires_at is not null;
