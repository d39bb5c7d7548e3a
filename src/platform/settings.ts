/**
 * All settings, read from the environment once, checked together and then frozen. `npm run docs` writes
 * `docs/configuration.md` from this table.
 */
export const settings = {
  PORT: { default: '8080', says: 'Port to listen on. 0 takes a free one.' },
  FERIA_WORK_PORT: {
    default: '',
    says: 'Port on which a worker (`feria work`) answers `/metrics` and `/health`. 0 takes a free one. Without it a worker does not listen.',
  },
  FERIA_METRICS_PORT: {
    default: '',
    says: 'Port, on the same host, on which a server answers `/metrics` without a token, and `/health`. Without it `/metrics` is on `PORT` only, for the operator.',
  },
  HOST: {
    default: '127.0.0.1',
    says: 'Address to listen on. `0.0.0.0` is every interface. A sandbox that listens beyond this machine needs a `FERIA_OPERATOR_TOKEN`.',
  },
  DATABASE_URL: {
    default: '',
    says: 'A PostgreSQL (15 or newer) to use: `postgres://user:password@host:5432/name`. Without it Feria runs its own, inside `FERIA_DATA`.',
  },
  DATABASE_POOL: { default: '10', says: 'Connections of one process to the database.' },
  FERIA_READ_DEADLINE_MS: {
    default: '1000',
    says: 'Time limit of a short read, in milliseconds. After it, the part of the answer that needed the read counts as unavailable.',
  },
  FERIA_QUEUE_WAIT_MS: {
    default: '1000',
    says: 'Longest wait of a request in admission control, in milliseconds. After it the request is refused with 503.',
  },
  FERIA_DATA: {
    default: './data',
    says: 'Folder of the embedded database and of uploaded files.',
  },
  FERIA_S3_BUCKET: {
    default: '',
    says: 'Bucket for uploaded files, in an S3-compatible store. Without it they lie in `FERIA_DATA`.',
  },
  FERIA_S3_REGION: { default: 'us-east-1', says: 'Region of the bucket.' },
  FERIA_S3_ENDPOINT: {
    default: '',
    says: 'Address of the store, such as `https://s3.example.com`. Default: Amazon S3 in the region.',
  },
  FERIA_S3_ACCESS_KEY_ID: {
    default: '',
    says: 'Access key of the bucket. Required with a bucket.',
  },
  FERIA_S3_SECRET_ACCESS_KEY: {
    default: '',
    says: 'Secret of the access key. Required with a bucket.',
    secret: true,
  },
  FERIA_S3_PATH_STYLE: {
    default: '',
    says: '`on` (`endpoint/bucket/key`) or `off` (`bucket.endpoint/key`). Default: `on` with an endpoint, else `off`.',
  },
  FERIA_MODE: {
    default: '',
    says: '`sandbox` (demo data, movable clock, callbacks to private addresses) or `production`. Default: `sandbox` without `DATABASE_URL`, else `production`.',
  },
  FERIA_DEMO: {
    default: 'on',
    says: '`on` or `off`: whether a sandbox with an empty database is filled with demo data.',
  },
  FERIA_OPERATOR_TOKEN: {
    default: '',
    says: "The operator's token, at least 16 characters. Required in production (except for `feria migrate`), and in a sandbox whose `HOST` is not this machine alone. Other sandboxes use `feria-sandbox-operator` by default.",
    secret: true,
  },
  FERIA_OIDC_ISSUER: {
    default: '',
    says: 'Address of the OpenID Connect provider with which operators sign in, as its configuration names it ([operator accounts](operator-accounts.md#sign-in-with-openid-connect)). Over https, except on this machine.',
  },
  FERIA_OIDC_CLIENT_ID: {
    default: '',
    says: 'Client that the provider has registered for Feria. Required with `FERIA_OIDC_ISSUER`.',
  },
  FERIA_OIDC_CLIENT_SECRET: {
    default: '',
    says: 'Secret of that client. Required with `FERIA_OIDC_ISSUER`.',
    secret: true,
  },
  FERIA_OIDC_NAME: {
    default: '',
    says: 'Name of the provider on the sign-in page: “Sign in with …”. Default: the host of the issuer.',
  },
  FERIA_PUBLIC_URL: {
    default: '',
    says: 'Address under which clients reach this service. Default: the address to listen on.',
  },
  FERIA_ALLOWED_HOSTS: {
    default: '',
    says: 'Host names of this service, separated by commas and without ports, besides those of `FERIA_PUBLIC_URL` and of this machine. Requests for other names are refused. In a sandbox, pages of these hosts may also write. In production every name is accepted unless this or `FERIA_PUBLIC_URL` is set.',
  },
  FERIA_TRUSTED_PROXIES: {
    default: '',
    says: 'Proxies in front of the service, as addresses or ranges separated by commas. Their `X-Forwarded-For` and `X-Forwarded-Host` are trusted. Without it, all clients behind a proxy share the limits of one address.',
  },
  TLS_CERT_FILE: {
    default: '',
    says: 'Certificate chain (PEM). With `TLS_KEY_FILE` the service speaks HTTPS.',
  },
  TLS_KEY_FILE: { default: '', says: 'Private key (PEM) of the certificate.' },
  FERIA_BODY_LIMIT_KB: { default: '1024', says: 'Largest request body, in KiB.' },
  FERIA_UNATTACHED_MB: {
    default: '20480',
    says: 'Limit of uploaded files that are not attached to a message yet, of all users together, in MiB.',
  },
  FERIA_UNATTACHED_PER_USER_MB: {
    default: '1024',
    says: 'The same limit for each user. A message may have 25 files of 25 MiB.',
  },
  FERIA_RATE_PER_MINUTE: {
    default: '18000',
    says: 'Requests per minute that one application (or, without a token, one address) may send to one process.',
  },
  FERIA_REFRESH_GRACE_SECONDS: {
    default: '30',
    says: 'How long an application that repeats a refresh gets the same new tokens, at most 300. With 0, a repeated refresh token ends the consent at once.',
  },
  FERIA_SHUTDOWN_SECONDS: {
    default: '10',
    says: 'How long a stop waits for running work.',
  },
  FERIA_DELIVERY_TIMEOUT_SECONDS: {
    default: '20',
    says: 'How long a callback may take to answer a notification.',
  },
  FERIA_DELIVERY_RETRY_HOURS: {
    default: '12',
    says: 'Hours between attempts at a notification that was not accepted.',
  },
  FERIA_DELIVERY_ATTEMPTS: {
    default: '5',
    says: 'Attempts at a notification before it is dropped. The feed keeps it as lost.',
  },
  FERIA_DELIVERY_IN_FLIGHT: {
    default: '16',
    says: 'Concurrent requests to one callback, unless the settings of its delivery queue differ.',
  },
  FERIA_DELIVERY_CONNECTIONS: {
    default: '4096',
    says: 'Limit of open connections of one process to all callbacks, at most half of the files that it may open. Notifications beyond it wait, which does not count as time of their callback.',
  },
  FERIA_DELIVERY_DISABLE_HOURS: {
    default: '120',
    says: 'Hours without an accepted notification after which a delivery queue is disabled, until the operator resumes it.',
  },
  FERIA_DELIVERY_COALESCE: {
    default: 'off',
    says: '`on` or `off`: whether only the newest of the waiting notifications with the same topic and resource is sent. A delivery queue may have a setting of its own.',
  },
  FERIA_STRICT: {
    default: 'off',
    says: '`on` or `off`: whether every request of integrators is strict: unknown fields and parameters, numbers as text and other content types are refused. A single request asks for it with `X-Feria-Strict: true`.',
  },
  FERIA_PRIVATE_CALLBACKS: {
    default: '',
    says: '`on` or `off`: whether a sandbox sends to callbacks at private addresses. Default: `on` if `HOST` is this machine alone, else `off`. Production never does.',
  },
  FERIA_GUIDE_CAPS: {
    default:
      'REQUEST_VARIANTS=20,REQUEST_BILLING_INFO=20,SEND_INVOICE_LINK=1,DELIVERY_PROMISE=1,OTHER=1',
    says: 'How many messages each option of the action guide allows in one conversation. Options that are left out keep their defaults.',
  },
  FERIA_RELAY_DOMAIN: {
    default: 'relay.feria.example',
    says: 'Domain of the relay e-mail addresses that stand in for those of users.',
  },
  FERIA_SEARCH_FACTORS: {
    default: 'sales=30,sold_out=365,free_shipping=15,reputation=20,title_word=2',
    says: 'By how many days a search moves a listing among equally good matches, which are otherwise newest first: `sales` up for each doubling of its sales, `sold_out` down without stock, `free_shipping` up, `reputation` up or down by the ratings of its seller, `title_word` down for each word of its title above six. Whole numbers from 0 to 3650. Factors that are left out keep their defaults. Use the same value in all processes. Feria moves stored listings by and by ([order of results](operating.md#order-of-search-results)).',
  },
  FERIA_LEARNING_TITLES: {
    default: '100',
    says: 'Titles per day and category of one seller from which the predictor learns. 0 turns learning off.',
  },
  FERIA_LEARNING_HALVING_DAYS: {
    default: '90',
    says: 'Half-life of what the predictor has learned, in days.',
  },
  FERIA_HISTORY_DAYS: {
    default: '30',
    says: 'Days for which notifications and attempts are kept.',
  },
  FERIA_AUDIT_DAYS: {
    default: '365',
    says: 'Days for which entries of the audit log are kept. They are dropped by whole days.',
  },
  FERIA_JOB_RESULT_DAYS: {
    default: '7',
    says: 'Days for which jobs that have ended are kept, with their results.',
  },
  FERIA_LOG_LEVEL: {
    default: 'info',
    says: '`debug`, `info`, `warn`, `error` or `silent`.',
  },
} as const satisfies Record<string, { default: string; says: string; secret?: boolean }>

export type SettingName = keyof typeof settings
