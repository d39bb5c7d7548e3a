-- What is said and told around a listing: questions, quotations, faulty pictures, invoices.

-- Contract 6: some topics are not used for real estate, vehicles and services.
alter table listings add column vertical text not null default 'core';
alter table listings add constraint listings_vertical
  check (vertical in ('core', 'real_estate', 'motors', 'services'));

-- Whether everything that an order sells is of those: as its listings were when it was made.
alter table orders add column is_classified boolean not null default false;

-- When a sale last took of it, or gave back.
alter table listing_stock add column last_moved timestamptz;

create table question_owner (
  question_id bigint primary key,
  seller_id bigint not null
);

create table questions (
  seller_id bigint not null,
  id bigint not null,
  item_id text not null,
  from_id bigint not null,
  status text not null check (status in ('ANSWERED', 'BANNED', 'CLOSED_UNANSWERED', 'DELETED',
    'DISABLED', 'UNANSWERED', 'UNDER_REVIEW')),
  text text not null,
  answer json,
  hold boolean not null,
  deleted_from_listing boolean not null,
  date_created timestamptz not null,
  last_updated timestamptz not null,
  primary key (seller_id, id)
);
create index questions_by_date on questions (seller_id, date_created, id);
create index questions_by_item on questions (seller_id, item_id, date_created, id);
create index questions_by_status on questions (seller_id, status, date_created, id);
create index questions_by_asker on questions (seller_id, from_id, date_created, id);

-- Where the questions of one user are, whoever sells what they are about.
create table asked_questions (
  from_id bigint not null,
  question_id bigint not null,
  seller_id bigint not null,
  item_id text not null,
  status text not null,
  date_created timestamptz not null,
  primary key (from_id, question_id)
);
create index asked_questions_by_date on asked_questions (from_id, date_created, question_id);

create table quotation_owner (
  quotation_id bigint primary key,
  seller_id bigint not null
);

create table quotations (
  seller_id bigint not null,
  id bigint not null,
  item_id text not null,
  -- Who asked for it; null for somebody without an account.
  user_id bigint,
  status text not null check (status in ('pending', 'sent', 'accepted', 'rejected', 'expired')),
  details json not null,
  date_created timestamptz not null,
  last_updated timestamptz not null,
  primary key (seller_id, id)
);

create table picture_owner (
  picture_id text primary key,
  seller_id bigint not null
);

-- A picture that could not be shown or downloaded, until the operator says that it can be.
create table picture_errors (
  seller_id bigint not null,
  picture_id text not null,
  item_id text not null,
  source text not null,
  message text not null,
  date_created timestamptz not null,
  last_updated timestamptz not null,
  primary key (seller_id, picture_id)
);

create table invoices (
  user_id bigint not null,
  id bigint not null,
  details json not null,
  date_created timestamptz not null,
  last_updated timestamptz not null,
  primary key (user_id, id)
);
