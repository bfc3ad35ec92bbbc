import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConfigFault } from './config-fault.ts';
import type { Config } from './config.ts';
import { loadConfig, type ConfigFlags } from './load-config.ts';
import { settingTexts } from './setting-texts.ts';
import { formatDuration, formatSize, parseDuration, parseSize } from './units.ts';
import type { Environment } from './variables.ts';

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'faregate-bounds-'));
});
afterAll(() => rmSync(cwd, { recursive: true }));

function load(file: string, env: Environment = {}, flags: ConfigFlags = {}): Config {
  writeFileSync(join(cwd, 'faregate.yaml'), file);
  return loadConfig({ flags, env, cwd });
}

/** A file with this setting, by its dotted name. */
function fileWith(name: string, value: string): string {
  return name
    .split('.')
    .map((part, depth) => `${'  '.repeat(depth)}${part}:`)
    .join('\n')
    .concat(` ${value}\n`);
}

/** What the setting has become; or why it was refused. */
function outcome(name: string, value: string, shown = name): string {
  try {
    return settingTexts(load(fileWith(name, value))).get(shown) ?? 'unknown';
  } catch (fault) {
    if (fault instanceof ConfigFault) return 'refused';
    throw fault;
  }
}

test('without a file, every setting has its default', () => {
  const { data, ...texts } = Object.fromEntries(settingTexts(loadConfig({ flags: {}, env: {}, cwd: '/nowhere' })));
  expect(data).toBe('/nowhere/data');
  expect(texts).toEqual({
    'server.host': '127.0.0.1',
    'server.port': '8080',
    'server.workers': '1',
    'server.body_max': '32MiB',
    'server.headers_max': '16KiB',
    'server.buffered_max': '512MiB',
    'server.connections_max': '10000',
    'server.connections_per_address_max': 'not set',
    'server.public_url': 'not set',
    'server.trusted_proxies': 'none',
    'database.url': 'not set',
    'database.schema': 'not set',
    'database.replica_url': 'not set',
    'database.shard': '00',
    'database.connections_max': '10',
    'database.control_connections_max': '3',
    'timeouts.headers': '20s',
    'timeouts.request': '1m',
    'timeouts.plain': '285s',
    'timeouts.stream': '1h',
    'timeouts.upstream_connect': '5s',
    'timeouts.upstream_first_byte': '285s',
    'timeouts.upstream_first_event': '285s',
    'timeouts.upstream_idle': '2m',
    'timeouts.upstream_keep_alive': '1m',
    'timeouts.ping': '15s',
    'timeouts.usage': '5s',
    'timeouts.hold_wait': '2s',
    'timeouts.lame_duck': '5s',
    'timeouts.drain': '30s',
    'timeouts.warm_up': '1500ms',
    'timeouts.epoch': '30s',
    'routing.window': '30s',
    'routing.results_min': '10',
    'routing.failure_percent': '50',
    'routing.rest': '10s',
    'routing.refused_key_rest': '30s',
    'structured_output.free_per_hour': '0.25',
    'responses.store_for': '24h',
    'responses.store_max': '4GiB',
    'ledger.keep': 'not set',
    'ledger.export_to': 'not set',
    'audit.keep': 'not set',
    'refusals.keep': '30d',
    'backup.schedule': 'not set',
    'alerts.check_every': '30s',
    'mail.smtp_url': 'not set',
    'webhooks.allowed_networks': 'none',
    'identity.sign_up': 'false',
    'identity.operator_networks': 'not set',
    'identity.oidc.client_secret': 'not set',
    'secrets.key_file': 'not set',
    'secrets.command': 'not set',
    'payments.seller.name': 'not set',
    'payments.stripe.secret_key': 'not set',
    'payments.stripe.webhook_secret': 'not set',
    'payments.fee.percent': '0.00',
    'payments.fee.min': '0.00',
    'payments.amount_min': '5.00',
    'payments.amount_max': '10000.00',
    'payments.return_url': 'not set',
    'telemetry.otlp.endpoint': 'not set',
    'telemetry.service_name': 'faregate',
    'telemetry.traces.sample_percent': '100',
    'telemetry.traces.follow_callers': 'true',
    'telemetry.metrics.push_every': '1m',
    'telemetry.request_log': 'false',
    log_level: 'info',
  });
});

// Each bounded setting: the greatest value that is too small, the least and the greatest that are right, and the least that
// is too great.
test.each([
  ['server.port', '-1', '0', '65535', '65536'],
  ['server.workers', '0', '1', '64', '65'],
  ['server.connections_max', '0', '1', '1000000', '1000001'],
  ['server.connections_per_address_max', '0', '1', '1000000', '1000001'],
  ['database.connections_max', '0', '1', '1000', '1001'],
  ['database.control_connections_max', '1', '2', '100', '101'],
  ['timeouts.headers', '0ms', '1ms', '1h', '3600001ms'],
  ['timeouts.request', '0ms', '1ms', '1h', '3600001ms'],
  ['timeouts.plain', '0ms', '1ms', '24h', '86400001ms'],
  ['timeouts.stream', '0ms', '1ms', '24h', '86400001ms'],
  ['timeouts.upstream_connect', '0ms', '1ms', '1h', '3600001ms'],
  ['timeouts.upstream_first_byte', '0ms', '1ms', '24h', '86400001ms'],
  ['timeouts.upstream_first_event', '0ms', '1ms', '24h', '86400001ms'],
  ['timeouts.upstream_idle', '0ms', '1ms', '24h', '86400001ms'],
  ['timeouts.upstream_keep_alive', '-1ms', '0ms', '1h', '3600001ms'],
  ['timeouts.ping', '0ms', '1ms', '1h', '3600001ms'],
  ['timeouts.usage', '-1ms', '0ms', '1h', '3600001ms'],
  ['timeouts.hold_wait', '-1ms', '0ms', '1h', '3600001ms'],
  ['timeouts.lame_duck', '-1ms', '0ms', '1h', '3600001ms'],
  ['timeouts.drain', '-1ms', '0ms', '1h', '3600001ms'],
  ['timeouts.warm_up', '-1ms', '0ms', '1m', '60001ms'],
  ['timeouts.epoch', '99ms', '100ms', '1h', '3600001ms'],
  ['routing.window', '0ms', '1ms', '1h', '3600001ms'],
  ['routing.results_min', '0', '1', '1000000', '1000001'],
  ['routing.failure_percent', '0', '1', '100', '101'],
  ['routing.rest', '0ms', '1ms', '1h', '3600001ms'],
  ['routing.refused_key_rest', '-1ms', '0ms', '1h', '3600001ms'],
  ['responses.store_for', '-1ms', '0ms', '720h', '721h'],
  ['audit.keep', '29d', '30d', '36500d', '36501d'],
  ['refusals.keep', '0d', '1d', '365d', '366d'],
  ['alerts.check_every', '999ms', '1s', '1h', '3600001ms'],
  ['telemetry.traces.sample_percent', '-1', '0', '100', '101'],
  ['telemetry.metrics.push_every', '-1ms', '0ms', '1h', '3600001ms'],
  ['payments.fee.percent', '"-1"', '0.00', '99.99', '"100"'],
  ['payments.fee.min', '"-0.01"', '0.00', '10000.00', '"0.001"'],
  ['payments.amount_min', '"0"', '0.01', '10000.00', '"10000.01"'],
  ['payments.amount_max', '"4.99"', '5.00', '999999999.00', '"5.001"'],
])('the setting %s is more than %s, %s to %s, and less than %s', (name, tooSmall, least, greatest, tooGreat) => {
  const written = (text: string) => (name.startsWith('payments.') ? `"${text}"` : text);
  expect(outcome(name, tooSmall)).toBe('refused');
  expect(outcome(name, written(least))).toBe(least);
  expect(outcome(name, written(greatest))).toBe(greatest);
  expect(outcome(name, tooGreat)).toBe('refused');
});

test.each([
  ['server.body_max', '1023B', '1KiB'],
  ['server.headers_max', '1023B', '1KiB'],
  ['server.buffered_max', '1023KiB', '1MiB'],
  ['responses.store_max', '1023B', '1KiB'],
])('the setting %s is more than %s, and may be %s', (name, tooSmall, least) => {
  expect(outcome(name, tooSmall)).toBe('refused');
  expect(outcome(name, least)).toBe(least);
});

test.each([
  ['34d', 'refused'],
  ['35d', '35d'],
  ['36500d', '36500d'],
  ['36501d', 'refused'],
  ['400', 'refused'],
])('receipts are kept for %s: %s', (keep, shown) => {
  expect(outcome('ledger', `{ keep: ${keep}, export_to: none }`, 'ledger.keep')).toBe(shown);
});

test.each([
  ['"02:30"', '02:30'],
  ['"23:59"', '23:59'],
  ['"24:00"', 'refused'],
  ['15m', '15m'],
  ['14m', 'refused'],
  ['168h', '168h'],
  ['169h', 'refused'],
  ['24h', '00:00'],
])('a backup is written at %s: %s', (schedule, shown) => {
  expect(outcome('backup', `{ schedule: ${schedule}, folder: /b }`, 'backup.schedule')).toBe(shown);
});

test.each([
  ['ledger: { keep: 90d }', 'ledger.keep has no ledger.export_to beside it'],
  ['backup: { schedule: 6h }', 'backup.schedule has no backup.folder beside it'],
  ['backup: { folder: /b }', 'backup.folder has no backup.schedule beside it'],
  ['backup: { schedule: 6h, folder: /b, recipients: [me] }', 'faregate backup new-identity'],
])('nothing is dropped or backed up by half a setting: %s', (file, problem) => {
  expect(() => load(`${file}\n`)).toThrow(problem);
});

test('folders are found from the config file', () => {
  const { ledger, backup } = load(`ledger: { keep: 90d, export_to: old }\nbackup: { schedule: 6h, folder: b }\n`);
  expect([ledger.exportTo, backup?.folder]).toEqual([join(cwd, 'old'), join(cwd, 'b')]);
});

test.each([
  ['500ms', 500],
  ['1s', 1_000],
  ['90s', 90_000],
  ['1m', 60_000],
  ['90m', 5_400_000],
  ['1h', 3_600_000],
  ['0ms', 0],
])('the duration %s is %i ms, and is written so', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
  expect(formatDuration(ms)).toBe(text);
});

test.each([
  ['1000B', 1_000],
  ['1KiB', 1_024],
  ['1025KiB', 1_049_600],
  ['1MiB', 1_048_576],
  ['3GiB', 3_221_225_472],
  ['0B', 0],
])('the size %s is %i bytes, and is written so', (text, bytes) => {
  expect(parseSize(text)).toBe(bytes);
  expect(formatSize(bytes)).toBe(text);
});

test.each(['1', '1.5s', '-1s', '1 s', '1S', '1d', 's', '1sm', '123456789s', '1s\n'])('"%s" is no duration', (text) => {
  expect(parseDuration(text)).toBeNull();
});

test.each(['1', '1MB', '1K', '1.5MiB', '-1B', '1234567B', 'B'])('"%s" is no size', (text) => {
  expect(parseSize(text)).toBeNull();
});

const DATABASE = 'postgres://u@h/d';
const KEYS = Buffer.alloc(32, 1).toString('base64');

test.each<[string, string, Environment, ConfigFlags]>([
  ['server.host', '127.0.0.2', { FAREGATE_HOST: '127.0.0.3' }, { host: '127.0.0.4' }],
  ['server.port', '1', { FAREGATE_PORT: '2' }, { port: '3' }],
  ['server.workers', '4', { FAREGATE_WORKERS: '2' }, { workers: '3' }],
  ['data', 'one', { FAREGATE_DATA: 'two' }, { data: 'three' }],
  ['database.url', DATABASE, { DATABASE_URL: 'postgres://v@h/d' }, {}],
  ['database.schema', 'one', { FAREGATE_DATABASE_SCHEMA: 'two' }, {}],
  ['timeouts.warm_up', '1s', { FAREGATE_WARM_UP: '2s' }, {}],
  ['log_level', 'warn', { FAREGATE_LOG_LEVEL: 'error' }, {}],
  ['telemetry.otlp.endpoint', 'http://one:4318', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://two:4318' }, {}],
  ['telemetry.service_name', 'one', { OTEL_SERVICE_NAME: 'two' }, {}],
])(
  'the origin of %s is the flag, else the environment, else the file, else it is the default',
  (name, value, env, flags) => {
    const file = fileWith(name, value);
    const origin = (...sources: Parameters<typeof load>) => load(...sources).origins[name];
    expect(origin('')).toBeUndefined();
    expect(origin(file)).toBe('file');
    expect(origin(file, env)).toBe('environment');
    if (Object.keys(flags).length > 0) expect(origin(file, env, flags)).toBe('flag');
  },
);

test('a key of secrets in the environment goes before a file that is named', () => {
  const named = 'secrets: { key_file: keys }\n';
  expect(load(named).secrets).toEqual({ kind: 'file', path: join(cwd, 'keys') });
  const given = load(named, { FAREGATE_SECRETS_KEY: KEYS });
  expect(given.secrets).toEqual({ kind: 'given', keys: KEYS });
  expect(given.origins['secrets.key']).toBe('environment');
  expect(load('').secrets).toEqual({ kind: 'file', path: null });
});

test.each([
  ['99ms', false],
  ['100ms', true],
  ['60s', true],
  ['60001ms', false],
])('the time limit %s of a program that wraps keys is right: %s', (limit, isRight) => {
  const file = `secrets: { command: ["/opt/kms"], command_timeout: ${limit} }\n`;
  if (isRight)
    expect(load(file).secrets).toEqual({ kind: 'command', command: ['/opt/kms'], timeoutMs: parseDuration(limit) });
  else expect(() => load(file)).toThrow('secrets.command_timeout is out of range');
});

test('a program that wraps keys has ten seconds, and stands beside no file', () => {
  const file = (more: string) => `secrets: { command: ["/opt/kms"]${more} }\n`;
  expect(load(file('')).secrets).toEqual({ kind: 'command', command: ['/opt/kms'], timeoutMs: 10_000 });
  expect(() => load(file(', key_file: keys'))).toThrow('names a key_file and a command; name one of them');
});

test.each([
  ['a'.repeat(31), false],
  ['a'.repeat(32), true],
  ['a'.repeat(200), true],
  ['a'.repeat(201), false],
  [`${'a'.repeat(32)} `, false],
])('an operator token of the environment is hard to guess, and without blanks: "%s" is right: %s', (token, isRight) => {
  const env = { FAREGATE_OPERATOR_TOKEN: token };
  if (isRight) expect(load('', env).operatorToken).toBe(token);
  else expect(() => load('', env)).toThrow(/^FAREGATE_OPERATOR_TOKEN: is not a token that is hard to guess; /);
});
