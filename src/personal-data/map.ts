/**
 * The map of personal data: what every column of the database holds, and what erasure does with it. A test compares it
 * with the schema, and `docs/personal-data.md` shows it.
 */

/** What a column holds, and what erasure does with it. */
export const columnPolicies = {
  none: 'Holds nothing about a person. Stays.',
  id: 'Holds the id of a user, or an id that leads to one. Stays: it leads to no person once the account is erased.',
  deleted: 'The row is deleted.',
  replaced: 'Personal values become null, empty or a fixed text.',
  rebuilt: 'Is rendered or computed again from what is left.',
  kept: 'May hold something about a person. Stays, for the reason given.',
  expires: 'May hold something about a person. Stays until its row expires, for the reason given.',
} as const
export type ColumnPolicy = keyof typeof columnPolicies

/** What erasure does with the rows of a table. */
export interface TablePolicy {
  /** Whose data the rows are, and how they are found. Null for rows about nobody. */
  about: string | null
  columns: Partial<Record<ColumnPolicy, readonly string[]>>
  /** Why columns stay that may hold something about a person. */
  reason?: string
}

/** Lists the names in a text. */
const names = (text: string): string[] => text.split(/\s+/).filter((name) => name !== '')

/** A table about nobody. */
const aboutNobody = (columns: string): TablePolicy => ({
  about: null,
  columns: { none: names(columns) },
})

/** A table of ids, by which rows of other tables are found. */
const idsOnly = (about: string, ids: string, others = ''): TablePolicy => ({
  about,
  columns: { id: names(ids), none: names(others) },
})

const bySeller = 'the seller, by `seller_id`'
const byUser = 'the user, by `user_id`'
const byParties = 'the seller, by `seller_id`; the buyer, by `buyer_id`'
const byOrder = 'the parties of the order, by `seller_id` and `order_id`'
const byApplication = 'the owner of the application, by `application_id`'
const ofOperator = 'The operator writes it about the marketplace, not about a user.'
const ofWords = 'Words of titles and attributes of all sellers, without the item and its seller.'
const ofJobs =
  'What an operator started and how it went. Jobs go with their files `FERIA_JOB_RESULT_DAYS` after their end. Files that may hold an erased user are deleted by the erasure.'
const ofStaff =
  'About the staff of the operator, not about users. An owner deletes accounts and keys; sessions go after `FERIA_HISTORY_DAYS`.'
const ofAudit =
  'Names operators and says why they made a change. Personal values of users are stored apart, in `audit_personal_values`.'
const ofGoods =
  'Title and warranty describe what was sold. The other party and the accounts need them.'

const tables: readonly (readonly [table: string, policy: TablePolicy])[] = [
  [
    'application_networks',
    {
      about: byApplication,
      columns: { deleted: names('application_id network expires_at') },
    },
  ],
  [
    'applications',
    {
      about: 'the owner, by `owner_id`',
      columns: {
        none: names('id is_listened date_created last_updated requires_pkce is_public'),
        replaced: names(
          'name secret_hash callback_url topics redirect_uris scopes owner_id previous_secret_hash previous_secret_until description',
        ),
      },
    },
  ],
  [
    'asked_questions',
    idsOnly(
      'the user who asked, by `from_id`',
      'from_id question_id seller_id',
      'item_id status date_created',
    ),
  ],
  [
    'attachments',
    {
      about: `${byUser}, with the file in the file store`,
      columns: {
        deleted: names(
          'user_id id state original_filename type charset size sha256 potential_security_threat date_created expires_at seller_id buyer_id pack_id message_id',
        ),
      },
    },
  ],
  [
    'attempts',
    {
      about: byApplication,
      columns: {
        none: names('application_id seq attempt sent outcome req_time_ms http_code'),
        id: names('request_body'),
        replaced: names('url request_headers response_headers response_body'),
      },
      reason:
        'Only attempts of applications of the user are emptied. Those of other applications expire.',
    },
  ],
  [
    'audit_log',
    {
      about: 'the users of `personal_users`',
      columns: {
        id: names('target_id related personal_users'),
        none: names('recorded_at id operation target_kind'),
        kept: names('actor actor_name reason before after'),
      },
      reason: ofAudit,
    },
  ],
  [
    'audit_personal_values',
    {
      about: byUser,
      columns: { deleted: names('recorded_at entry_id user_id before after') },
    },
  ],
  ['audit_results', aboutNobody('recorded_at entry_id result')],
  [
    'authorization_codes',
    {
      about: byUser,
      columns: {
        deleted: names(
          'user_id digest application_id redirect_uri challenge scopes grant_id expires_at used_at revoked_by',
        ),
      },
    },
  ],
  [
    'authorizations',
    {
      about: byUser,
      columns: { deleted: names('user_id application_id scopes date_created') },
    },
  ],
  ['catalogue_in_force', aboutNobody('id version before')],
  [
    'catalogues',
    {
      about: null,
      columns: {
        none: names('version categories attributes domains summary date_created date_activated'),
        kept: ['note'],
      },
      reason: ofOperator,
    },
  ],
  ['category_numbers', aboutNobody('key number date_created')],
  [
    'changes',
    idsOnly(
      'the notified users, by `user_ids`',
      'seller_id user_ids resource',
      'slot id topic recorded_at',
    ),
  ],
  ['claim_owner', idsOnly(byParties, 'seller_id buyer_id', 'claim_id')],
  [
    'claims',
    {
      about: byParties,
      columns: {
        id: names('seller_id buyer_id'),
        none: names('id order_id type stage status date_created last_updated'),
        replaced: ['details'],
      },
    },
  ],
  [
    'conversations',
    idsOnly(
      byParties,
      'seller_id buyer_id',
      'pack_id seen_by_seller seen_by_buyer last_message_at buyer_wrote_at spent block blocked_at',
    ),
  ],
  ['currency_rates', aboutNobody('base quote rate date_created')],
  [
    'devices',
    { about: byUser, columns: { deleted: names('user_id digest date_created expires_at') } },
  ],
  ['fan_out_mark', aboutNobody('id reached_at swept_at swept_to')],
  [
    'feedback',
    {
      about: 'the author of the message and of the reply, by `seller_id` and `order_id`',
      columns: {
        id: ['seller_id'],
        none: names(
          'order_id role id fulfilled rating visibility_date date_created last_updated text_version',
        ),
        replaced: ['details'],
        rebuilt: ['as_part'],
      },
    },
  ],
  ['feedback_owner', idsOnly(byOrder, 'seller_id', 'feedback_id order_id role')],
  ['holders', aboutNobody('id alive_until has_lock')],
  ['id_blocks', aboutNobody('kind next_id')],
  [
    'idempotency_keys',
    {
      about: 'the user who chose the key, which begins with the user id',
      columns: { deleted: ['key'], expires: names('fingerprint result recorded_at') },
      reason:
        'Keys of the operator stay until they expire: a digest of the request, and the id of what it made.',
    },
  ],
  [
    'invoices',
    {
      about: byUser,
      columns: {
        id: ['user_id'],
        none: names('id date_created last_updated'),
        replaced: ['details'],
      },
    },
  ],
  ['item_owner', idsOnly(bySeller, 'seller_id', 'item_id')],
  [
    'jobs',
    {
      about: null,
      columns: {
        none: names(
          'id kind state total done site_id date_created started_at finished_at expires_at next_at attempts held_until fence file_removed_at',
        ),
        expires: names('parameters checkpoint result error actor'),
      },
      reason: ofJobs,
    },
  ],
  ['job_files', aboutNobody('key job_id position size is_upload')],
  ['lane_notes', aboutNobody('application_id id at kind details')],
  [
    'lanes',
    aboutNobody(
      'application_id last_seq last_at cursor_seq cursor_at retry_due fence rests_until state state_since failures failing_since in_flight rate_per_second coalesces latest_up_to holder is_waiting',
    ),
  ],
  [
    'lesson_head',
    aboutNobody(
      'id position era era_began snapshot_position snapshot_format snapshot_versions lessons_since',
    ),
  ],
  ['lesson_notes', idsOnly(bySeller, 'seller_id', 'id item_id noted_by noted_at')],
  [
    'lesson_snapshots',
    {
      about: null,
      columns: { none: names('site_id version part'), kept: ['bytes'] },
      reason:
        'Counts of hashed words of all sellers. The titles of an erased seller are unlearned.',
    },
  ],
  [
    'lessons',
    {
      about: 'sellers, by the titles of their items',
      columns: { none: names('position made_at'), deleted: ['entries'] },
    },
  ],
  [
    'listeners',
    {
      about: byApplication,
      columns: {
        deleted: names('application_id name cursor_seq cursor_at date_created last_seen'),
      },
    },
  ],
  [
    'listing_descriptions',
    {
      about: bySeller,
      columns: { deleted: names('seller_id item_id plain_text date_created last_updated') },
    },
  ],
  ['listing_folds', aboutNobody('site_id generation')],
  [
    'listing_index',
    {
      about: bySeller,
      columns: {
        deleted: names(
          'site_id item seller_id price kind score tier band form attributes tokens body version words reputation',
        ),
      },
    },
  ],
  [
    'listing_stock',
    {
      about: bySeller,
      columns: {
        id: ['seller_id'],
        none: names('item_id variation_id available_quantity sold_quantity last_moved'),
        replaced: names('attributes seller_sku details'),
      },
    },
  ],
  ['listing_synonym_versions', aboutNobody('site_id version')],
  [
    'listing_synonyms',
    {
      about: null,
      columns: { none: names('id site_id action words date_created'), kept: ['note'] },
      reason: ofOperator,
    },
  ],
  ['listing_tiers', aboutNobody('site_id category steps')],
  [
    'listing_values',
    {
      about: null,
      columns: { none: names('site_id value attribute_id value_id'), kept: ['value_name'] },
      reason: ofWords,
    },
  ],
  ['listing_walk', idsOnly('the last seller of a walk', 'seller_id', 'id item_id made')],
  [
    'listing_word_notes',
    {
      about: null,
      columns: { none: names('site_id id n'), expires: ['words'] },
      reason: ofWords,
    },
  ],
  [
    'listing_words',
    {
      about: null,
      columns: { none: names('site_id n generation'), kept: ['word'] },
      reason: ofWords,
    },
  ],
  [
    'listings',
    {
      about: bySeller,
      columns: {
        id: ['seller_id'],
        none: names('id site_id category_id currency_id price date_created last_updated vertical'),
        replaced: names('title status details'),
      },
    },
  ],
  ['message_owner', idsOnly(bySeller, 'seller_id', 'message_id pack_id')],
  [
    'message_prints',
    {
      about: bySeller,
      columns: { deleted: names('seller_id print pack_id sent_at') },
    },
  ],
  [
    'messages',
    {
      about: 'the author, by `from_id`',
      columns: {
        id: names('seller_id buyer_id from_id to_id'),
        none: names('pack_id id status date_created date_available date_notified date_read'),
        replaced: names('text details'),
        rebuilt: ['body'],
      },
    },
  ],
  [
    'moderation_rules',
    {
      about: null,
      columns: { none: names('rule site_id is_enabled last_updated'), kept: ['note'] },
      reason: ofOperator,
    },
  ],
  [
    'moderation_terms',
    {
      about: null,
      columns: { none: names('id kind reason site_id date_created'), kept: names('value note') },
      reason: ofOperator,
    },
  ],
  ['moderation_version', aboutNobody('id version')],
  [
    'notifications',
    idsOnly(
      'the user whose resource it names, by `user_id`',
      'user_id resource',
      'application_id seq fanned_at id topic received',
    ),
  ],
  ['operator_access', aboutNobody('id version token_disabled_at')],
  [
    'operator_accounts',
    {
      about: null,
      columns: {
        none: names(
          'id role sites status date_created last_updated invitation_expires_at totp_last_step identity_issuer identity_linked_at',
        ),
        kept: names(
          'email email_folded name password_hash totp_secret totp_pending_secret invitation_digest identity_subject',
        ),
      },
      reason: ofStaff,
    },
  ],
  [
    'operator_keys',
    {
      about: null,
      columns: {
        none: names(
          'id role sites digest previous_digest previous_until begins_with expires_at last_used_at revoked_at date_created',
        ),
        kept: names('name allowed_addresses'),
      },
      reason: ofStaff,
    },
  ],
  [
    'operator_openid_flows',
    {
      about: null,
      columns: {
        none: names('id purpose account_id verifier_digest nonce date_created expires_at'),
        expires: ['subject'],
      },
      reason: ofStaff,
    },
  ],
  ['operator_recovery_codes', aboutNobody('account_id digest used_at')],
  [
    'operator_roles',
    {
      about: null,
      columns: {
        none: names('name permissions date_created last_updated'),
        kept: ['description'],
      },
      reason: ofOperator,
    },
  ],
  [
    'operator_sessions',
    {
      about: null,
      columns: {
        none: names(
          'id account_id digest date_created last_used_at verified_at expires_at ended_at',
        ),
        expires: names('network user_agent'),
      },
      reason: ofStaff,
    },
  ],
  [
    'order_baskets',
    {
      about: bySeller,
      columns: { id: ['seller_id'], none: names('basket version'), kept: ['words'] },
      reason: ofGoods,
    },
  ],
  [
    'order_count_changes',
    idsOnly(bySeller, 'seller_id', 'id kind basket created_day sort_day updated_day n'),
  ],
  ['order_counts', idsOnly(bySeller, 'seller_id', 'dimension bucket kind n')],
  [
    'order_items',
    {
      about: byOrder,
      columns: {
        id: ['seller_id'],
        none: names('order_id position item_id variation_id quantity unit_price'),
        kept: ['title'],
        replaced: ['details'],
      },
      reason: ofGoods,
    },
  ],
  ['order_kinds', idsOnly(bySeller, 'seller_id', 'kind facets version')],
  [
    'order_notes',
    {
      about: 'the author, by `author_id`',
      columns: {
        deleted: names('seller_id order_id id author_id note date_created last_updated'),
      },
    },
  ],
  ['order_owner', idsOnly(byParties, 'seller_id buyer_id', 'order_id')],
  ['order_recounts', idsOnly(bySeller, 'seller_id', 'id')],
  [
    'orders',
    {
      about: byParties,
      columns: {
        id: names('seller_id buyer_id'),
        none: names(
          'id site_id status pack_id shipment_id currency_id total_amount paid_amount tags date_created date_closed expiration_date last_updated body_version parts is_rated feedback_due is_disputed sort_date kind basket is_classified filing_version',
        ),
        replaced: ['details'],
        rebuilt: ['body'],
      },
      reason: ofGoods,
    },
  ],
  [
    'orders_by_buyer',
    {
      about: byParties,
      columns: {
        id: names('buyer_id seller_id'),
        none: names(
          'order_id kind pack_id date_created sort_date last_updated total_amount facets',
        ),
        kept: ['words'],
      },
      reason: ofGoods,
    },
  ],
  ['pack_owner', idsOnly('the buyer, by `buyer_id`', 'buyer_id', 'pack_id')],
  ['passed_over', aboutNobody('application_id seq at into_seq')],
  ['passwords', { about: byUser, columns: { deleted: names('user_id hash changed_at') } }],
  ['payment_owner', idsOnly(byOrder, 'seller_id', 'payment_id order_id')],
  [
    'payments',
    {
      about: byOrder,
      columns: {
        id: ['seller_id'],
        none: names('order_id id status transaction_amount total_paid_amount date_created'),
        replaced: ['details'],
      },
      reason: 'The ids of the payment provider stay: refunds have to find the payment.',
    },
  ],
  [
    'picture_errors',
    {
      about: bySeller,
      columns: {
        deleted: names('seller_id picture_id item_id source message date_created last_updated'),
      },
    },
  ],
  ['picture_owner', idsOnly(bySeller, 'seller_id', 'picture_id')],
  ['question_owner', idsOnly(bySeller, 'seller_id', 'question_id')],
  [
    'questions',
    {
      about: 'the user who asked, by `from_id`; the seller who answered, by `seller_id`',
      columns: {
        id: names('seller_id from_id'),
        none: names('id item_id status hold deleted_from_listing date_created last_updated'),
        replaced: names('text answer'),
      },
    },
  ],
  ['quotation_owner', idsOnly(bySeller, 'seller_id', 'quotation_id')],
  [
    'quotations',
    {
      about: 'the user who asked for it, by `user_id`',
      columns: {
        id: names('seller_id user_id'),
        none: names('id item_id status date_created last_updated'),
        replaced: ['details'],
      },
      reason: 'Quotations of somebody without an account belong to no user.',
    },
  ],
  [
    'refresh_tokens',
    {
      about: byUser,
      columns: {
        deleted: names(
          'user_id digest application_id scopes grant_id expires_at used_at revoked_at successor revoked_by',
        ),
      },
    },
  ],
  [
    'replays',
    aboutNobody(
      'application_id id state since until topics failed_only up_to_seq rate_per_second total done accepted position_at position_seq date_created started_at finished_at next_at fence held_until',
    ),
  ],
  [
    'row_walks',
    idsOnly('the last row of a walk', 'passed_key', 'name version passed rounds ended_at'),
  ],
  ['sandbox_answer_faults', aboutNobody('name fault seen met')],
  ['sandbox_clock', aboutNobody('only_one ahead_ms')],
  ['sandbox_faults', aboutNobody('name')],
  ['sandbox_receiver_faults', aboutNobody('application_id topic kind share seed delay_ms status')],
  [
    'sandbox_simulations',
    aboutNobody('id state asked application_id begun told date_created date_ended'),
  ],
  [
    'sandbox_snapshots',
    {
      about: 'the users in the copy of the database, with its schema and files',
      columns: {
        deleted: names('name place step world_time tables n_rows n_bytes n_files ms date_created'),
      },
    },
  ],
  [
    'sandbox_stories',
    idsOnly('made-up users', 'made', 'simulation_id number step due_at begun_at'),
  ],
  ['sandbox_world', aboutNobody('only_one number')],
  ['schema_steps', aboutNobody('version name distributed applied_at')],
  [
    'sessions',
    {
      about: byUser,
      columns: { deleted: names('user_id digest date_created expires_at') },
    },
  ],
  ['shipment_owner', idsOnly(byParties, 'seller_id buyer_id', 'shipment_id')],
  [
    'shipments',
    {
      about: byParties,
      columns: {
        id: names('seller_id buyer_id'),
        none: names('id mode logistic_type status date_created last_updated text_version'),
        replaced: ['details'],
        rebuilt: ['as_part'],
      },
    },
  ],
  [
    'sign_in_attempts',
    {
      about:
        'the user, by the digest of the nickname or e-mail address, or of the browser, in the key; the owner of an application, by its id in the key',
      columns: { deleted: names('key n ends_at') },
    },
  ],
  [
    'signing_secrets',
    {
      about: byApplication,
      columns: { deleted: names('application_id id secret date_created expires_at') },
    },
  ],
  ['taken_changes', idsOnly(bySeller, 'seller_id', 'slot id recorded_at')],
  ['taught_days', idsOnly(bySeller, 'seller_id', 'day site_id category titles')],
  [
    'taught_listings',
    {
      about: bySeller,
      columns: { deleted: names('seller_id item_id site_id category title count era') },
    },
  ],
  [
    'test_users',
    {
      about: byUser,
      columns: { deleted: names('user_id account_id date_created') },
    },
  ],
  [
    'tokens',
    {
      about: byUser,
      columns: {
        deleted: names(
          'user_id digest application_id scopes expires_at revoked_at grant_id is_client_credentials',
        ),
      },
    },
  ],
  [
    'unaccepted',
    idsOnly(
      'the user whose resource it names, by `user_id`',
      'user_id resource',
      'application_id seq id topic received attempts due',
    ),
  ],
  ['unread_messages', idsOnly(byUser, 'user_id seller_id', 'pack_id n')],
  [
    'user_erasures',
    idsOnly(
      byUser,
      'user_id passed_key',
      'state step pass found erased date_created last_updated date_finished',
    ),
  ],
  [
    'users',
    {
      about: 'the user, by `id`',
      columns: {
        id: ['id'],
        none: names('site_id date_created last_updated text_version erased_at'),
        replaced: names('nickname profile status'),
        rebuilt: names('nickname_folded as_buyer as_buyer_new as_seller'),
      },
    },
  ],
  ['waiting_changes', idsOnly(bySeller, 'seller_id', 'slot id recorded_at')],
  ['write_probe', aboutNobody('filler')],
]

export const personalDataMap: Readonly<Record<string, TablePolicy>> = Object.fromEntries(tables)
