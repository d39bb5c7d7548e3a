/**
 * Every setting, in one table: read from the environment once, checked all together, then frozen.
 * `docs/configuration.md` is held equal to this table by a test.
 */
export const settings = {
  PORT: { default: '8080', says: 'Port to listen on; 0 takes a free one.' },
  FERIA_WORK_PORT: {
    default: '',
    says: 'Port on which a process that only works (`feria work`) answers `/metrics` and `/health`; 0 takes a free one. Without it it listens nowhere.',
  },
  FERIA_METRICS_PORT: {
    default: '',
    says: 'Port, on the same host, on which a process that serves answers `/metrics` without a token, and `/health`. Without it `/metrics` is on `PORT` only, for the operator.',
  },
  HOST: {
    default: '127.0.0.1',
    says: 'Address to listen on; `0.0.0.0` for every interface. A sandbox that listens beyond this machine needs a `FERIA_OPERATOR_TOKEN`.',
  },
  DATABASE_URL: {
    default: '',
    says: 'A PostgreSQL (15 or newer) to use: `postgres://user:password@host:5432/name`. Without it Feria runs its own, inside `FERIA_DATA`.',
  },
  DATABASE_POOL: { default: '10', says: 'Connections of one process to the database.' },
  FERIA_READ_DEADLINE_MS: {
    default: '1000',
    says: 'How long, in milliseconds, one short read may take before what it was for counts as out of reach.',
  },
  FERIA_QUEUE_WAIT_MS: {
    default: '1000',
    says: 'How long, in milliseconds, a request may wait for its turn at the database before it is refused with 503.',
  },
  FERIA_DATA: {
    default: './data',
    says: 'Folder of the embedded database and of files that were uploaded.',
  },
  FERIA_S3_BUCKET: {
    default: '',
    says: 'Bucket for files that are uploaded, on a store that speaks S3. Without it they lie in `FERIA_DATA`.',
  },
  FERIA_S3_REGION: { default: 'us-east-1', says: 'Region of the bucket.' },
  FERIA_S3_ENDPOINT: {
    default: '',
    says: 'Address of the store: `https://s3.example.com`. Without it that of Amazon in the region.',
  },
  FERIA_S3_ACCESS_KEY_ID: { default: '', says: 'Key to the bucket. Required with a bucket.' },
  FERIA_S3_SECRET_ACCESS_KEY: {
    default: '',
    says: 'Secret half of that key. Required with a bucket.',
    secret: true,
  },
  FERIA_S3_PATH_STYLE: {
    default: '',
    says: '`on` (`endpoint/bucket/key`) or `off` (`bucket.endpoint/key`). Default: `on` with an endpoint, else `off`.',
  },
  FERIA_MODE: {
    default: '',
    says: '`sandbox` (demo world, movable clock, callbacks to private addresses) or `production`. Default: `sandbox` without `DATABASE_URL`, else `production`.',
  },
  FERIA_DEMO: {
    default: 'on',
    says: '`on` or `off`: whether a sandbox with an empty database is filled with the demo world.',
  },
  FERIA_OPERATOR_TOKEN: {
    default: '',
    says: "The operator's token, at least 16 characters. Required in production (except for `feria migrate`) and wherever `HOST` is not this machine alone; any other sandbox without one uses `feria-sandbox-operator`.",
    secret: true,
  },
  FERIA_PUBLIC_URL: {
    default: '',
    says: 'Address under which others reach this service. Default: where it listens.',
  },
  FERIA_ALLOWED_HOSTS: {
    default: '',
    says: 'Hosts, with commas between and without ports, under which requests may name this service beside that of `FERIA_PUBLIC_URL`, this machine’s names and addresses; and whose pages may write to a sandbox. In production all names are taken while neither of the two is set.',
  },
  FERIA_TRUSTED_PROXIES: {
    default: '',
    says: 'Proxies in front, as addresses or ranges with commas between, whose `X-Forwarded-For` tells who asks, and whose `X-Forwarded-Host` under which name. Without it everybody behind a proxy shares the limits of one address.',
  },
  TLS_CERT_FILE: { default: '', says: 'Certificate chain (PEM). With `TLS_KEY_FILE`: HTTPS.' },
  TLS_KEY_FILE: { default: '', says: 'Private key (PEM) of that certificate.' },
  FERIA_BODY_LIMIT_KB: { default: '1024', says: 'Largest request body, in KiB.' },
  FERIA_UNATTACHED_MB: {
    default: '20480',
    says: 'Room, in MiB, for files that were uploaded and are attached to no message yet, of all users together.',
  },
  FERIA_UNATTACHED_PER_USER_MB: {
    default: '1024',
    says: 'The same for each user; one message may have 25 files of 25 MiB.',
  },
  FERIA_RATE_PER_MINUTE: {
    default: '18000',
    says: 'Requests a minute that one application (or, without a token, one address) may make of one process.',
  },
  FERIA_REFRESH_GRACE_SECONDS: {
    default: '30',
    says: 'How long an application that presents a spent refresh token again is answered with the same new tokens, at most 300; 0 to end what was granted at once.',
  },
  FERIA_SHUTDOWN_SECONDS: {
    default: '10',
    says: 'How long a stop waits for what is in flight.',
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
    says: 'Attempts at one notification before it is dropped (and kept in the feed as lost).',
  },
  FERIA_DELIVERY_IN_FLIGHT: {
    default: '16',
    says: 'Requests under way at one callback, unless its delivery queue says otherwise.',
  },
  FERIA_DELIVERY_CONNECTIONS: {
    default: '4096',
    says: 'Connections that one process has open to all callbacks together; never more than half of the files that it may have open. What goes to others waits for a place, which is not counted as their time to answer.',
  },
  FERIA_DELIVERY_DISABLE_HOURS: {
    default: '120',
    says: 'A callback that has accepted nothing for so long is left alone until the operator resumes it.',
  },
  FERIA_DELIVERY_COALESCE: {
    default: 'off',
    says: '`on` or `off`: whether of notifications that wait for one application, with one topic and resource, only the last is sent. A delivery queue may say otherwise.',
  },
  FERIA_STRICT: {
    default: 'off',
    says: '`on` or `off`: whether integrators are refused what is otherwise accepted or ignored: unknown fields and parameters, numbers as text, other content types. A request asks for it with `X-Feria-Strict: true`.',
  },
  FERIA_PRIVATE_CALLBACKS: {
    default: '',
    says: '`on` or `off`: whether a sandbox sends to callbacks at private addresses. Default: `on` where `HOST` is this machine alone, else `off`. Production never does.',
  },
  FERIA_GUIDE_CAPS: {
    default:
      'REQUEST_VARIANTS=20,REQUEST_BILLING_INFO=20,SEND_INVOICE_LINK=1,DELIVERY_PROMISE=1,OTHER=1',
    says: 'How many messages each option of the action guide allows in one conversation; what is not named keeps its default.',
  },
  FERIA_RELAY_DOMAIN: {
    default: 'relay.feria.example',
    says: 'Domain of the e-mail addresses that stand for a user without telling who it is.',
  },
  FERIA_LEARNING_TITLES: {
    default: '100',
    says: 'Titles that one seller may teach the predictor for one category a day; 0 to learn from nobody.',
  },
  FERIA_LEARNING_HALVING_DAYS: {
    default: '90',
    says: 'Days after which what the predictor has learned counts half.',
  },
  FERIA_HISTORY_DAYS: { default: '30', says: 'Days that notifications and attempts are kept.' },
  FERIA_LOG_LEVEL: {
    default: 'info',
    says: '`debug`, `info`, `warn`, `error` or `silent`.',
  },
} as const satisfies Record<string, { default: string; says: string; secret?: boolean }>

export type SettingName = keyof typeof settings
