import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Config } from './config.ts';
import { loadConfig } from './load-config.ts';
import { takeOver } from './take-over.ts';

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'faregate-take-over-'));
});
afterAll(() => rmSync(cwd, { recursive: true }));

function load(text: string, env: Record<string, string> = {}): Config {
  writeFileSync(join(cwd, 'faregate.yaml'), text);
  return loadConfig({ flags: {}, env, cwd });
}

const MODEL =
  'routes: [{ provider: p, model: m }], price: { input: "1", output: "2" }, context_window: 9, max_output: 5';
const RUNNING = 'providers: { p: { kind: sandbox } }\n';
const KEY_ONE = Buffer.alloc(32, 1).toString('base64');
const KEY_TWO = Buffer.alloc(32, 2).toString('base64');

test('providers, models, the log level, what is kept of responses and what is waited for in requests are taken over', () => {
  const running = load(RUNNING);
  const read = load(`log_level: debug
timeouts: { plain: 9s, upstream_idle: 8s, ping: 7s, usage: 6s, drain: 5s, headers: 4s, request: 3s }
routing: { window: 40s }
structured_output: { free_per_hour: "0.5" }
responses: { store_for: 2h }
providers: { p: { kind: sandbox, concurrency_max: 3 } }
models: [{ id: new, ${MODEL} }]
`);
  expect(takeOver(running, read)).toEqual({ config: read, left: [] });
});

test('a reload leaves what was made at the start, and names it', () => {
  const running = load(RUNNING, { DATABASE_URL: 'postgres://u:one@h/d' });
  const read = load(
    `server: { host: 0.0.0.0, port: 1, workers: 2, body_max: 1MiB, connections_max: 5 }
database: { connections_max: 3 }
data: elsewhere
timeouts: { hold_wait: 9s, epoch: 9s, ping: 9s }
${RUNNING}`,
    { DATABASE_URL: 'postgres://u:two@h/d' },
  );
  const { config, left } = takeOver(running, read);
  expect(config).toEqual({
    ...running,
    origins: { ...running.origins, 'timeouts.ping': 'file' },
    timeouts: { ...running.timeouts, pingMs: 9_000 },
  });
  expect(left).toEqual([
    'server.host',
    'server.port',
    'server.workers',
    'server.body_max',
    'server.connections_max',
    'database.url',
    'database.connections_max',
    'data',
    'timeouts.hold_wait',
    'timeouts.epoch',
  ]);
});

test('a reload leaves the way that mails and webhooks go, and names it, also if only a password differs', () => {
  const mail = (password: string): string => `mail: { smtp_url: "smtp://u:${password}@h", from: a@b.example }\n`;
  const running = load(mail('one') + RUNNING);
  const { config, left } = takeOver(
    running,
    load(`${mail('two')}webhooks: { allowed_networks: [::1/128] }\n${RUNNING}`),
  );
  expect(left).toEqual(['mail.smtp_url', 'webhooks.allowed_networks']);
  expect(config).toEqual(running);
});

test('a reload leaves a database that is named only now', () => {
  const { config, left } = takeOver(load(RUNNING), load(RUNNING, { DATABASE_URL: 'postgres://h/d' }));
  expect(left).toEqual(['database.url']);
  expect(config).toMatchObject({ database: { url: null }, bootstrap: true });
});

test('a reload leaves payments, and names each setting of theirs that differs, also if it is a secret', () => {
  const stripe = (secret: string, percent: string): string =>
    `payments: { stripe: { secret_key: sk_test_one, webhook_secret: whsec_${secret} }, fee: { percent: "${percent}" } }\n${RUNNING}`;
  const { left } = takeOver(load(stripe('one', '1')), load(stripe('two', '2')));
  expect(left).toEqual(['payments.stripe.webhook_secret', 'payments.fee.percent']);
});

const OIDC = 'issuer: "https://issuer.example", client_id: c, name: N';
const STRIPE = 'secret_key: sk_test_one, webhook_secret: whsec_one';
const BUCKET = 'kind: s3, endpoint: "http://s3", bucket: records, access_key_id: AKID';
const COLLECTOR = 'kind: otlp, endpoint: "http://collector"';

// Each secret, the file with one value and with another.
test.each<[string, string, string]>([
  [
    'mail.smtp_url',
    'mail: { smtp_url: "smtp://u:one@h", from: a@b.example }',
    'mail: { smtp_url: "smtp://u:two@h", from: a@b.example }',
  ],
  [
    'identity.oidc.client_secret',
    `identity: { oidc: { ${OIDC}, client_secret: one } }`,
    `identity: { oidc: { ${OIDC}, client_secret: two } }`,
  ],
  [
    'payments.stripe.secret_key',
    `payments: { stripe: { ${STRIPE} } }`,
    `payments: { stripe: { ${STRIPE.replace('test_one', 'test_two')} } }`,
  ],
  [
    'payments.stripe.webhook_secret',
    `payments: { stripe: { ${STRIPE} } }`,
    `payments: { stripe: { ${STRIPE.replace('whsec_one', 'whsec_two')} } }`,
  ],
  [
    'sinks.bucket.secret_access_key',
    `sinks: { bucket: { ${BUCKET}, secret_access_key: one } }`,
    `sinks: { bucket: { ${BUCKET}, secret_access_key: two } }`,
  ],
  [
    'sinks.logs.headers.authorization',
    `sinks: { logs: { ${COLLECTOR}, headers: { authorization: one } } }`,
    `sinks: { logs: { ${COLLECTOR}, headers: { authorization: two } } }`,
  ],
])('a reload notices another value of the secret %s, which waits for a start', (name, one, two) => {
  const running = load(`${one}\n${RUNNING}`);
  const { config, left } = takeOver(running, load(`${two}\n${RUNNING}`));
  expect({ config, left }).toEqual({ config: running, left: [name] });
  expect(takeOver(running, load(`${one}\n${RUNNING}`)).left).toEqual([]);
});

test.each<[string, Record<string, string>, Record<string, string>]>([
  ['database.url', { DATABASE_URL: 'postgres://u:one@h/d' }, { DATABASE_URL: 'postgres://u:two@h/d' }],
  ['secrets.key', { FAREGATE_SECRETS_KEY: KEY_ONE }, { FAREGATE_SECRETS_KEY: KEY_TWO }],
])('a reload notices another value of %s in the environment, which waits for a start', (name, one, two) => {
  const running = load(RUNNING, one);
  const { config, left } = takeOver(running, load(RUNNING, two));
  expect({ config, left }).toEqual({ config: running, left: [name] });
});
