-- Synonyms of the listing search that the operator adds or removes, by site.

create table listing_synonyms (
  -- Made of site, action and words: the same change again replaces it.
  id text primary key,
  site_id text not null,
  action text not null check (action in ('add', 'remove')),
  words text[] not null,
  note text,
  date_created timestamptz not null
);

create index listing_synonyms_site on listing_synonyms (site_id);

-- Another one whenever a change of the site comes or goes. Its row lock makes changes of a site wait for each other.
create table listing_synonym_versions (
  site_id text primary key,
  version text not null
);
