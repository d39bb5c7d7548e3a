/** What erasure keeps of a user, and why: for the answer of the operation and the documentation. */
export const keptData: readonly { data: string; reason: string }[] = [
  {
    data: 'The user id, the site and the dates of the account',
    reason:
      'Sales, messages and ratings of others refer to the id. It leads to no person any more, and it is not used again.',
  },
  {
    data: 'Sales: amounts, dates, statuses, items with their titles, and shipments without addresses and tracking numbers',
    reason: 'They belong to the other party too, and accounts have to be kept by law.',
  },
  {
    data: 'Payments: amounts, dates, statuses, method, and the ids of the payment provider',
    reason: 'Accounts have to be kept by law, and refunds have to find the payment.',
  },
  {
    data: 'Invoices: number, series, amount and date',
    reason: 'Tax law requires them. Without the access key they name nobody.',
  },
  {
    data: 'Claims and ratings without their texts',
    reason: 'The reputation and the history of the other party count them.',
  },
  {
    data: 'Messages, questions and ratings without texts and files',
    reason: 'The other party keeps the order of the conversation.',
  },
  {
    data: 'What others wrote, also to the user or about the user',
    reason: 'It is the personal data of its author, who can delete it or have it erased.',
  },
  {
    data: 'Items without texts, pictures and contact',
    reason: 'Sales refer to their ids and prices.',
  },
  {
    data: 'Words of item titles, without the item and its seller',
    reason: 'The search and the predictor count words of all sellers. They lead to nobody.',
  },
  {
    data: 'Notifications and their deliveries until they expire',
    reason:
      'They hold ids only, and are deleted after `FERIA_HISTORY_DAYS`. What receivers answered is theirs, and expires with them.',
  },
  {
    data: 'Idempotency keys of the operator, with digests of their requests, until they expire',
    reason:
      'They make requests repeatable and are deleted after `FERIA_HISTORY_DAYS`. Put no personal data into keys.',
  },
  {
    data: 'Codes, ids and methods that you give to sales, payments, shipments and pictures, such as `external_reference`, `reference_id`, `transaction_order_id` and the ids of pictures in the audit log',
    reason: 'Programs compare them. Put no personal data into codes and ids.',
  },
  {
    data: '`seller_sku` and `seller_custom_field` in the sales of an erased buyer',
    reason: 'They are codes of the seller. The erasure of the seller removes them.',
  },
  {
    data: 'Entries of the audit log without personal values, with the reasons that operators gave',
    reason: 'They say who changed what and why. Name no persons in reasons.',
  },
]
