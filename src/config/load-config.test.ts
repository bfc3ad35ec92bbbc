import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ConfigFault } from './config-fault.ts';
import { describeConfig } from './print-config.ts';
import { loadConfig, locateDataDirectory, type ConfigFlags } from './load-config.ts';
import type { Environment } from './variables.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'faregate-config-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

function load(file: string | null, env: Environment = {}, flags: ConfigFlags = {}) {
  if (file !== null) writeFileSync(join(cwd, 'faregate.yaml'), file);
  return loadConfig({ flags, env, cwd });
}

function faultOf(file: string, env: Environment = {}): string {
  try {
    load(file, env);
  } catch (error) {
    if (error instanceof ConfigFault) return error.message;
    throw error;
  }
  throw new Error('the file was accepted');
}

/** A file with one model whose lines may be replaced. */
function withModel(lines: string): string {
  return `providers:\n  local: { kind: openai, base_url: "http://127.0.0.1:11434/v1" }\nmodels:\n  - id: small\n    routes: [{ provider: local, model: m }]\n${lines}`;
}

const TERMS = '    price: { input: "0.25", output: "2.00" }\n    context_window: 4000\n    max_output: 1000\n';

/** The same at this price, and with a cost on its route. */
const LIMITS = '    context_window: 4000\n    max_output: 9\n';
const withPrice = (price: string): string => withModel(TERMS).replace(/price: .*/, `price: ${price}`);
const withCost = (cost: string): string => withModel(TERMS).replace('model: m }', `model: m, cost: ${cost} }`);

test.each([
  ['server:\n  prot: 80\n', '2:3: unknown key "prot"; did you mean "port"?'],
  [
    'colour: red\n',
    '1:1: unknown key "colour"; the keys known here are server, database, data, timeouts, routing, structured_output, responses, ledger, audit, refusals, backup, alerts, mail, webhooks, identity, secrets, payments, telemetry, sinks, log_level, providers, models',
  ],
  ['server:\n  port: 80a\n', '2:9: server.port has an unknown value; write a whole number from 0 to 65535'],
  ['server:\n  port: 99999\n', '2:9: server.port is too large; write a whole number from 0 to 65535'],
  ['server: [1]\n', '1:9: server is a list; write a mapping such as { host: 127.0.0.1, port: 8080 }'],
  [
    'timeouts:\n  drain: 30\n',
    '2:10: timeouts.drain is a number; write a whole number and a unit (ms, s, m, h), such as "30s" or "250ms"',
  ],
  ['timeouts:\n  drain: 2h\n', '2:10: timeouts.drain is out of range; write a duration from 0ms to 1h'],
  [
    'server:\n  body_max: 32MB\n',
    '2:13: server.body_max is malformed; write a whole number and a unit (B, KiB, MiB, GiB), such as "32MiB"',
  ],
  ['log_level: loud\n', '1:12: log_level has an unknown value; write one of debug, info, warn, error, silent'],
  [
    'database:\n  url: mysql://h/d\n',
    '2:8: database.url is not the address of a PostgreSQL database; write an address such as "postgres://user:password@host:5432/name"',
  ],
  ['server:\n  port: 1\n  port: 2\n', '3:3: this key stands here twice; keep one of the two'],
  ['server:\n\tport: 1\n', '2:1: a tab is used for indentation; indent with spaces'],
  [
    'server: { port: 1\n',
    '2:1: the indentation is wrong, or a bracket before it is open; indent keys alike and close brackets',
  ],
  ['- 1\n', '1:1: the file is a list; write a mapping with keys such as server, providers and models'],
  [
    'providers:\n  "a b": { kind: sandbox }\n',
    '2:3: the name "a b" is not usable; write a name of letters, digits, "-" and "_", at most 64 of them',
  ],
  [
    'providers:\n  x: { kind: opnai }\n',
    '2:14: providers.x.kind has an unknown value; write kind: openai (or azure, anthropic, gemini, sandbox)',
  ],
  [
    'providers:\n  x: { base_url: "http://h" }\n',
    '2:6: providers.x.kind is missing; write kind: openai (or azure, anthropic, gemini, sandbox)',
  ],
  [
    'providers:\n  x: { kind: openai }\n',
    '2:6: providers.x.base_url is missing; write an http or https address without credentials or query, such as "https://api.openai.com/v1"',
  ],
  [
    'providers:\n  x: { kind: openai, base_url: "https://u:p@h" }\n',
    '2:32: providers.x.base_url is not a usable address; write an http or https address without credentials or query, such as "https://api.openai.com/v1"',
  ],
  [
    'providers:\n  x:\n    kind: openai\n    base_url: http://h\n    apiKey: k\n',
    '5:5: unknown key "apiKey"; did you mean "api_key"?',
  ],
  [
    'providers:\n  x:\n    kind: openai\n    base_url: http://h\n    api_key:\n',
    '5:5: providers.x.api_key is empty; write the key, best as "${VAR}"',
  ],
  [
    'providers:\n  x:\n    kind: openai\n    base_url: http://h\n    api_key: k\n    api_key_file: f\n',
    '6:19: providers.x.api_key_file and api_key are both given; keep one of the two',
  ],
  [
    'providers:\n  x:\n    kind: openai\n    base_url: http://h\n    api_key_file: none\n',
    '5:19: the file named by api_key_file cannot be read; name a readable file that holds the key',
  ],
  [
    'providers:\n  x:\n    kind: openai\n    base_url: http://h\n    profile: olama\n',
    expect.stringMatching(
      /^5:14: providers\.x\.profile has an unknown value; the profiles known here are .*, ollama, /,
    ),
  ],
  [
    'providers:\n  x:\n    kind: azure\n    base_url: http://h\n    api_key: k\n    token_file: f\n',
    '6:17: providers.x.token_file and api_key are both given; keep one of the two',
  ],
  [
    'providers:\n  x:\n    kind: azure\n    base_url: http://h\n    token_file: none\n',
    '5:17: the file named by token_file cannot be read; name a readable file that holds the token',
  ],
  [
    withModel(TERMS).replace(
      '{ provider: local, model: m }',
      '{ provider: local, model: m, weight: 1 }, { provider: local, model: n }',
    ),
    '5:56: models[0].routes[1].weight is missing beside the weights of other routes; give every route one',
  ],
  [
    withModel('    context_window: 4000\n    max_output: 9\n'),
    '4:5: models[0].price is missing; write price: { input: "0.25", output: "2.00" }, USD per million tokens; a price of zero is "0"; or write markup: 10% and what each route costs',
  ],
  [
    withModel(`    price: { input: "1", output: "2" }\n    markup: 10%\n${LIMITS}`),
    '7:13: models[0].markup and price are both given; keep one of the two',
  ],
  [
    withModel(`    markup: 10%\n${LIMITS}`),
    expect.stringMatching(
      /models\[0\]\.routes\[0\]\.cost is missing, and markup needs it; write what the provider asks$/,
    ),
  ],
  [
    withModel(`    markup: -5%\n${LIMITS}`),
    '6:13: models[0].markup is not a mark-up; write a percentage from 0% to 900% with at most two decimals, such as 10%',
  ],
  [
    withModel(`    markup: 900%\n${LIMITS}`).replace(
      'model: m }',
      'model: m, cost: { input: "1000.1", output: "1" } }',
    ),
    '6:13: models[0].markup makes a price above "10000"; write a lower one',
  ],
  [
    withModel('    price: { input: 0.25, output: "2" }\n    context_window: 4000\n    max_output: 9\n'),
    '6:21: models[0].price.input is a number; quote it: "0.25"',
  ],
  [
    'mail: { smtp_url: "https://u:hunter2@h", from: a@b.example }\n',
    '1:19: mail.smtp_url is not the address of an SMTP server; write an address such as "smtps://user:${SMTP_PASSWORD}@smtp.example.com"',
  ],
  [
    'mail: { smtp_url: "smtps://", from: a@b.example }\n',
    '1:19: mail.smtp_url is not the address of an SMTP server; write an address such as "smtps://user:${SMTP_PASSWORD}@smtp.example.com"',
  ],
  [
    'payments: { stripe: { secret_key: hunter2 } }\n',
    '1:35: payments.stripe.secret_key is malformed; write a secret or restricted key of Stripe, such as "${STRIPE_SECRET_KEY}"',
  ],
  [
    'payments: { amount_min: "7.001" }\n',
    '1:25: payments.amount_min is not usable; write USD as a quoted decimal string of whole cents, such as "5.00"',
  ],
  [
    'payments: { amount_min: "70", amount_max: "60" }\n',
    '1:25: payments.amount_min is zero or above amount_max; write an amount between the two',
  ],
  [
    'mail: { smtp_url: "smtps://h" }\n',
    '1:7: mail.from is missing; write an address such as "faregate@example.com" or "Faregate <faregate@example.com>"',
  ],
  [
    'mail: { smtp_url: "smtps://h", from: "Gate <a@b.example>, c@d.example" }\n',
    '1:38: mail.from is malformed; write an address such as "faregate@example.com" or "Faregate <faregate@example.com>"',
  ],
  [
    'webhooks: { allowed_networks: [10.0.0.0/33] }\n',
    '1:32: webhooks.allowed_networks[0] is not usable; write a network such as "10.1.0.0/16" or "127.0.0.0/8"',
  ],
  [
    'database:\n  url: "postgres://u:12/hunter2@h/d"\n',
    '2:8: database.url has an "@" behind its host; write "@", "/", "?" and "#" in a user or password as %40, %2F, %3F and %23',
  ],
  [
    withModel('    price: { imput: "0.25", output: "2" }\n    context_window: 4000\n    max_output: 9\n'),
    '6:14: unknown key "imput"; did you mean "input"?',
  ],
  [
    withModel('    price: { input: "0.25", ouput: "2" }\n    context_window: 4000\n    max_output: 9\n'),
    '6:29: unknown key "ouput"; did you mean "output"?',
  ],
  [
    withModel('    prize: { input: "0.25", output: "2" }\n    context_window: 4000\n    max_output: 9\n'),
    '6:5: unknown key "prize"; did you mean "price"?',
  ],
  [
    withModel('    price: { input: "-1", output: "2" }\n    context_window: 4000\n    max_output: 9\n'),
    '6:21: models[0].price.input is malformed; write USD per million tokens as a quoted decimal string with at most nine decimals, such as "0.25"',
  ],
  [
    withModel('    price: { input: "1" }\n    context_window: 4000\n    max_output: 9\n'),
    '6:12: models[0].price.output is missing; write USD per million output tokens, such as "2.00"',
  ],
  [
    withModel('    price: { input: "1", output: "2" }\n    context_window: 4000\n'),
    '4:5: models[0].max_output is missing; write the most output tokens of one answer, such as 16384',
  ],
  [
    withModel('    price: { input: "1", output: "2" }\n    context_window: 4000\n    max_output: 5000\n'),
    '8:17: models[0].max_output is above context_window; write at most as much as that',
  ],
  [
    withModel(
      '    price: { input: "1", output: "2", tiers: [{ above_input_tokens: 9, input: "1", output: "2" }, { above_input_tokens: 9, input: "1", output: "2" }] }\n    context_window: 4000\n    max_output: 9\n',
    ),
    '6:121: models[0].price.tiers[1].above_input_tokens is not above the tier before; write tiers in rising order',
  ],
  [withModel(`${TERMS}    fallback: [large]\n`), '9:16: unknown model "large"; known are small'],
  [
    withModel(`${TERMS}    fallback: [small]\n`),
    '9:16: models[0].fallback[0] is the model itself; name other models of the kind chat, each once',
  ],
  [
    withPrice('{ input: "1", cached_input: "0.1", output: "2", service_tiers: { flex: { input: "1", output: "1" } } }'),
    '6:83: models[0].price.service_tiers.flex.cached_input is missing beside models[0].price.cached_input; write the rate of this tier',
  ],
  [
    withPrice(
      '{ input: "1", output: "2", tiers: [{ above_input_tokens: 9, input: "1", output: "2" }], service_tiers: { priority: { input: "1", output: "1" } } }',
    ),
    '6:127: models[0].price.service_tiers.priority.tiers has other steps than models[0].price.tiers; write above_input_tokens 9',
  ],
  [
    withPrice('{ input: "1", output: "2", service_tiers: { scale: { input: "1", output: "1" } } }'),
    '6:56: unknown key "scale"; the keys known here are flex, priority, fast',
  ],
  [
    withModel(
      '    kind: embedding\n    price: { input: "1", service_tiers: { flex: { input: "1" } } }\n    context_window: 4000\n',
    ),
    '7:49: models[0].price.service_tiers.flex is set for an embedding model, whose API has no service tiers; leave it out',
  ],
  [
    withCost('{ input: "10000.000000001", output: "1" }'),
    '5:58: models[0].routes[0].cost.input is too large; write at most "10000", USD per million tokens',
  ],
  [
    withPrice('{ input: "1", output: "10001" }'),
    '6:34: models[0].price.output is too large; write at most "10000", USD per million tokens',
  ],
  [
    withCost('{ input: "1" }'),
    '5:49: models[0].routes[0].cost.output is missing; write USD per million output tokens, such as "2.00"',
  ],
  [withCost('{ input: 1, output: "1" }'), '5:58: models[0].routes[0].cost.input is a number; quote it: "1"'],
  [
    withPrice('{ input: "1", output: "2", fees: { file_search: "1" } }'),
    '6:47: unknown key "file_search"; it reads files kept at the provider, where all workspaces share one account, so it is not for sale; leave it out',
  ],
  [
    withPrice('{ input: "1", output: "2", fees: { web_serch: "1" } }'),
    '6:47: unknown key "web_serch"; did you mean "web_search"?',
  ],
  [
    withPrice('{ input: "1", output: "2", fees: { web_search: 0.01 } }'),
    '6:59: models[0].price.fees.web_search is a number; quote it: "0.01"',
  ],
  [
    withPrice('{ input: "1", output: "2", fees: { request: "10000.1" } }'),
    '6:56: models[0].price.fees.request is too large; write at most "10000", USD per use',
  ],
  [
    withModel(`${TERMS}    tools: { web_search: { max_uses: 2 } }\n`),
    '9:26: models[0].tools.web_search is of a tool without a fee; write models[0].price.fees.web_search, "0" if it costs nothing',
  ],
  [
    withModel(
      '    kind: embedding\n    price: { input: "1", fees: { request: "1", mcp: "1" } }\n    context_window: 9\n',
    ),
    '7:53: models[0].price.fees.mcp is set for an embedding model, which has no tools; leave it out',
  ],
  [
    withModel('    kind: rerank\n    price: { input: "1" }\n    context_window: 9\n    max_output: 9\n'),
    '9:17: models[0].max_output is set for a rerank model, which has no output; leave it out',
  ],
  [
    withModel('    kind: embedding\n    price: { input: "1", audio_output: "1" }\n    context_window: 9\n'),
    '7:40: models[0].price.audio_output is set for an embedding model, which does not answer in audio; leave it out',
  ],
  [
    withCost('{ input: "1", output: "2", tiers: [{ above_input_tokens: 9, input: "1" }] }'),
    '5:84: models[0].routes[0].cost.tiers[0].output is missing; write USD per million output tokens, such as "2.00"',
  ],
  [
    withCost('{ input: "1", output: "2" } }, { provider: local, model: m'),
    '5:80: models[0].routes[1].cost differs from that of routes[0], which is the same provider and model; give both the same cost',
  ],
  [
    withModel(TERMS).replace('provider: local', 'provider: locl'),
    '5:26: unknown provider "locl"; did you mean "local"?',
  ],
  [
    withModel(TERMS).replace('{ provider: local, model: m }', ''),
    '5:13: models[0].routes is empty; write at least one route, such as [{ provider: openai, model: gpt-5-mini }]',
  ],
  [
    `${withModel(TERMS)}  - id: small\n    routes: [{ provider: local, model: m }]\n${TERMS}`,
    '9:9: the model "small" is already defined in line 4; use another id, or join their routes',
  ],
  [
    withModel(TERMS).replace('id: small', 'id: "sm all"'),
    '4:9: models[0].id is malformed; write an id of letters, digits and any of "/ . : _ - @ +", at most 200 of them',
  ],
  [
    'data: "${NOWHERE}/data"\n',
    '1:7: the environment variable NOWHERE is not set; set it, or write "$${NOWHERE}" if the text itself is meant',
  ],
  ['data: "${NO"\n', '1:7: a "${" is never closed; write "${NAME}", or "$${" for a plain "${"'],
  ['data: "${A-B}"\n', '1:7: "${…}" holds no variable name; write letters, digits and "_", or "$${" for a plain "${"'],
  ['a: &a [*a]\n', expect.stringMatching(/^1:\d+: the file nests or repeats too much/)],
])('a wrong file is one line that says where, what is wrong and what would be right: %j', (file, expected) => {
  const message = faultOf(file);
  expect(message).not.toContain('\n');
  expect(message.startsWith('faregate.yaml:')).toBe(true);
  expect(message.slice('faregate.yaml:'.length)).toEqual(expected);
});

test('the first of several problems in a file is named', () => {
  expect(faultOf('timeouts:\n  drain: 1\nserver:\n  prot: 1\n')).toMatch(/^faregate\.yaml:2:10: /);
});

test('a named file that does not exist is an error; the default one need not', () => {
  expect(() => load(null, {}, { config: 'other.yaml' })).toThrow('other.yaml: no such file');
  expect(load(null).file).toBeNull();
});

test('wrong flags and variables are named, their values are not', () => {
  expect(() => load(null, {}, { port: '80x' })).toThrow(/^--port: is not a port/);
  expect(() => load(null, { FAREGATE_PORT: '99999' })).toThrow(/^FAREGATE_PORT: is not a port/);
  expect(() => load(null, {}, { workers: '0' })).toThrow(/^--workers: is not a number of processes/);
  expect(() => load(null, { FAREGATE_WORKERS: 'two' })).toThrow(/^FAREGATE_WORKERS: is not a number of processes/);
  expect(() => load(null, { FAREGATE_LOG_LEVEL: 'loud' })).toThrow(/^FAREGATE_LOG_LEVEL: /);
  expect(() => load(null, { DATABASE_URL: 'mysql://u:hunter2@h/d' })).toThrow(/^DATABASE_URL: [^h]*(?!hunter2)/);
  for (const password of ['12/hunter2', 'p#hunter2', 'p?hunter2', 'p@12/hunter2', '12/hunter2@3']) {
    const problem = /^DATABASE_URL: has an "@" behind its host; write "@", .* as %40, %2F, %3F and %23$/;
    expect(() => load(null, { DATABASE_URL: `postgres://u:${password}@h/d` })).toThrow(problem);
  }
  const encoded = 'postgres://u:12%2Fhunter2%40@h/d?host=/tmp';
  expect(load(null, { DATABASE_URL: encoded }).database.url).toBe(encoded);
});

test("libpq's variables say what a database's address leaves out, and a replica may be any server", () => {
  const env = { PGSSLMODE: 'require', PGTARGETSESSIONATTRS: 'primary' };
  const addresses = { DATABASE_URL: 'postgres://a,b/d', DATABASE_REPLICA_URL: 'postgres://b/d?sslmode=disable' };
  expect(load(null, { ...env, ...addresses }).database).toMatchObject({
    url: 'postgres://a,b/d?sslmode=require&target_session_attrs=primary',
    replicaUrl: 'postgres://b/d?sslmode=disable&target_session_attrs=any',
  });
  expect(() => load(null, { PGSSLMODE: 'verify-ca', ...addresses })).toThrow(/sslrootcert/);
});

test('a replica of the embedded database is refused', () => {
  expect(() => load('database: { replica_url: "postgres://h/d" }')).toThrow(/^.*replica_url.*database\.url/);
});

test('a printed address hides the password of each of its hosts', () => {
  const shown = describeConfig(load(null, { DATABASE_URL: 'postgres://u:hunter2@a:1,b:2/d?sslpassword=hunter2' }));
  expect(JSON.stringify(shown)).not.toContain('hunter2');
  expect(shown).toMatchObject({ database: { url: 'postgres://u:***@a:1,b:2/d?sslpassword=***' } });
});

test('no text whatever makes anything but a Config or a one-line ConfigFault', () => {
  const word = fc.constantFrom(
    'server',
    'models',
    ':',
    ' ',
    '\n',
    '-',
    '{',
    '}',
    '[',
    ']',
    '"',
    '${',
    '}',
    '&a',
    '*a',
    '!!x',
    '#',
    '\t',
    '1',
    'id',
    '? ',
    '|',
    '<<',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(word, { maxLength: 30 }).map((words) => words.join('')),
      ),
      (file) => {
        try {
          load(file);
        } catch (error) {
          expect(error).toBeInstanceOf(ConfigFault);
          expect((error as ConfigFault).message).toMatch(/^faregate\.yaml:\d+:\d+: [^\n]+$/);
        }
      },
    ),
    { numRuns: 400 },
  );
});

test('a variable’s value is in no message, wherever it turns out to be wrong', () => {
  const secret = 'hunter2/hunter2 hunter2';
  const places = [
    'server: { port: "${S}" }',
    'data: { x: "${S}" }',
    'log_level: "${S}"',
    'database: { url: "${S}" }',
    'server: { body_max: "${S}" }',
    'timeouts: { ping: "${S}" }',
  ];
  const models = ['id: small', 'model: m', '"0.25"', '4000', 'provider: local'].map((part) =>
    withModel(TERMS).replace(part, part.replace(/[^ ]+$/, '"${S}"')),
  );
  const provider = 'providers: { p: { kind: openai, base_url: "${S}" } }';
  for (const file of [...places, provider, ...models]) {
    try {
      load(file, { S: secret });
    } catch (error) {
      expect(String(error)).not.toContain('hunter2');
    }
  }
});

test('variables are filled in, numbers included, and $${ is a plain ${', () => {
  const config = load(
    withModel(TERMS)
      .replace('model: m', () => 'model: "a$${b}-${M}"')
      .concat('server: { port: "${P}" }\n'),
    { M: 'x', P: '81' },
  );
  expect(config.models[0]?.routes[0]?.upstreamModel).toBe('a${b}-x');
  expect(config.server.port).toBe(81);
});

test('a variable that is set to nothing counts as unset', () => {
  expect(load(null, { FAREGATE_HOST: '', DATABASE_URL: '' })).toMatchObject({
    server: { host: '127.0.0.1' },
    database: { url: null },
  });
  expect(faultOf('data: "${EMPTY}"\n', { EMPTY: '' })).toContain('EMPTY is not set');
});

const source = fc.option(fc.integer({ min: 0, max: 65_535 }), { nil: undefined });
test('precedence is flags, environment, file, defaults for any combination of sources', () => {
  fc.assert(
    fc.property(source, source, source, (flag, variable, inFile) => {
      const file = inFile === undefined ? '' : `server: { port: ${inFile}, host: h${inFile} }\ndata: d${inFile}\n`;
      const env =
        variable === undefined
          ? {}
          : { FAREGATE_PORT: `${variable}`, FAREGATE_HOST: `h${variable}`, FAREGATE_DATA: `d${variable}` };
      const flags = flag === undefined ? {} : { port: `${flag}`, host: `h${flag}`, data: `d${flag}` };
      const config = load(file, env, flags);
      const winner = flag ?? variable ?? inFile;
      expect(config.server.port).toBe(winner ?? 8080);
      expect(config.server.host).toBe(winner === undefined ? '127.0.0.1' : `h${winner}`);
      expect(config.dataDirectory).toBe(join(cwd, winner === undefined ? 'data' : `d${winner}`));
      expect(locateDataDirectory({ flags, env, cwd })).toBe(config.dataDirectory);
    }),
    { numRuns: 60 },
  );
});

test('the environment’s database wins over the file’s, and without one a first boot bootstraps', () => {
  const file = 'database: { url: "postgres://file/db" }\n';
  expect(load(file, { DATABASE_URL: 'postgres://env/db' })).toMatchObject({
    database: { url: 'postgres://env/db' },
    bootstrap: false,
  });
  expect(load(file)).toMatchObject({ database: { url: 'postgres://file/db' }, bootstrap: false });
  expect(load(file, {}, { bootstrap: true }).bootstrap).toBe(true);
  expect(load('')).toMatchObject({ database: { url: null }, bootstrap: true });
  expect(load('', {}, { bootstrap: false }).bootstrap).toBe(false);
});

const design = `
server: { host: 127.0.0.1, port: 8080 }
providers:
  openai: { kind: openai, base_url: https://api.openai.com/v1/, api_key: "\${OPENAI_API_KEY}" }
  local:  { kind: openai, base_url: http://127.0.0.1:11434/v1 }
models:
  - id: team/small-chat
    routes: [{ provider: openai, model: gpt-5-mini }, { provider: local, model: qwen3 }]
    price: { input: "0.25", cached_input: "0.025", output: "2.00", tiers: [{ above_input_tokens: 200000, input: "0.5", output: "3" }] }
    context_window: 400000
    max_output: 128000
  - id: embed
    kind: embedding
    routes: [{ provider: openai, model: text-embedding-3-small }]
    price: { input: "0.02" }
    context_window: 8192
`;
const config = () => load(design, { OPENAI_API_KEY: 'sk-1' });

test('payments have a fee, and bounds of what one of them buys, each from its own line of the file', () => {
  const section = 'payments: { fee: { percent: "5.5", min: "0.80" }, amount_min: "7", amount_max: "60" }';
  expect(load(`${design}${section}\n`, { OPENAI_API_KEY: 'sk-1' }).payments).toMatchObject({
    fee: { share: 550n, min: 800_000_000n },
    amountMin: 7_000_000_000n,
    amountMax: 60_000_000_000n,
  });
});

test('a provider has its key, its address without the slash, and nothing that its profile knows better', () => {
  expect(config().providers).toEqual([
    {
      name: 'openai',
      kind: 'openai',
      baseUrl: 'https://api.openai.com/v1',
      apiKey: 'sk-1',
      proxy: null,
      tls: null,
      concurrencyMax: null,
      drains: false,
      profile: null,
      capField: null,
      needsCap: null,
      hasCompletions: null,
    },
    {
      name: 'local',
      kind: 'openai',
      baseUrl: 'http://127.0.0.1:11434/v1',
      apiKey: null,
      proxy: null,
      tls: null,
      concurrencyMax: null,
      drains: false,
      profile: null,
      capField: null,
      needsCap: null,
      hasCompletions: null,
    },
  ]);
});

test('a provider of any kind has what the file says, and the vendor’s own address where it says none', () => {
  writeFileSync(join(cwd, 'token'), 'ey.1\n');
  const { providers } = load(`providers:
  groq: { kind: openai, base_url: https://h/openai/v1, profile: groq, cap_field: max_tokens, needs_cap: true, completions: true, concurrency_max: 8, drain: true }
  azure: { kind: azure, base_url: https://r.openai.azure.com/, api_version: 2024-10-21, token_file: token }
  azure-v1: { kind: azure, base_url: https://r.openai.azure.com, api_key: k, cap_field: max_tokens }
  claude: { kind: anthropic, api_key: k }
  google: { kind: gemini, api_key: k }
  toys: { kind: sandbox, concurrency_max: 2 }
`);
  const plain = { proxy: null, tls: null, concurrencyMax: null, drains: false };
  const azure = { kind: 'azure', baseUrl: 'https://r.openai.azure.com', ...plain };
  const google = 'https://generativelanguage.googleapis.com/v1beta';
  expect(providers).toMatchObject([
    {
      kind: 'openai',
      baseUrl: 'https://h/openai/v1',
      apiKey: null,
      profile: 'groq',
      capField: 'max_tokens',
      needsCap: true,
      hasCompletions: true,
      concurrencyMax: 8,
      drains: true,
    },
    {
      ...azure,
      apiKey: null,
      apiVersion: '2024-10-21',
      tokenFile: join(cwd, 'token'),
      capField: 'max_completion_tokens',
    },
    { ...azure, apiKey: 'k', apiVersion: null, tokenFile: null, capField: 'max_tokens' },
    { kind: 'anthropic', baseUrl: 'https://api.anthropic.com', apiKey: 'k', version: '2023-06-01', ...plain },
    { kind: 'gemini', baseUrl: google, apiKey: 'k', ...plain },
    { kind: 'sandbox', baseUrl: '', apiKey: null, concurrencyMax: 2, drains: false },
  ]);
});

test('a model is sold with the tools that have a fee, and a fee of a request is none of a tool', () => {
  const priced = withPrice('{ input: "1", output: "2", fees: { request: "0.001", web_search: "0.01", mcp: "0" } }');
  const [model] = load(`${priced}    tools: { mcp: { max_uses: 2, input_tokens: 7 } }\n`).models;
  expect(model?.terms.price.fees).toEqual({ request: 1_000_000n, web_search: 10_000_000n, mcp: 0n });
  expect(model?.terms.tools).toEqual({
    web_search: { maxUses: 5, inputTokens: null },
    mcp: { maxUses: 2, inputTokens: 7 },
  });
  expect(load(withModel(TERMS)).models[0]?.terms).not.toHaveProperty('tools');
});

test('a price has service tiers with every rate and step of its own, and a cost may have them too', () => {
  const served = '{ input: "2", output: "4", tiers: [{ above_input_tokens: 9, input: "3", output: "6" }] }';
  const price = `{ input: "1", output: "2", tiers: [{ above_input_tokens: 9, input: "2", output: "3" }], service_tiers: { priority: ${served} } }`;
  const [model] = load(withPrice(price)).models;
  expect(model?.terms.price.serviceTiers).toMatchObject({
    priority: {
      rates: { input: 2_000_000_000n, cached_input: 2_000_000_000n, output: 4_000_000_000n },
      tiers: [{ aboveInputTokens: 9, rates: { input: 3_000_000_000n, output: 6_000_000_000n } }],
    },
  });
  expect(load(withCost(price)).models[0]?.routes[0]?.cost?.serviceTiers).toEqual(model?.terms.price.serviceTiers);
  expect(load(withModel(TERMS)).models[0]?.terms.price).not.toHaveProperty('serviceTiers');
});

test('a model whose price names a rate of audio output, in every tier too, answers in audio, and no other', () => {
  const rates = 'input: "1", output: "2", audio_output: "2"';
  const tier = 'above_input_tokens: 9, input: "1", output: "2"';
  expect(load(withPrice(`{ ${rates} }`)).models[0]?.terms.sellsAudio).toBe(true);
  const tiered = withPrice(`{ ${rates}, tiers: [{ ${tier}, audio_output: "3" }] }`);
  expect(load(tiered).models[0]?.terms.sellsAudio).toBe(true);
  for (const price of [
    '{ input: "1", audio_input: "3", output: "2" }',
    `{ ${rates}, tiers: [{ ${tier} }] }`,
    `{ input: "1", output: "2", tiers: [{ ${tier}, audio_output: "3" }] }`,
  ]) {
    expect(load(withPrice(price)).models[0]?.terms).not.toHaveProperty('sellsAudio');
  }
});

test('a model falls back to others of the file, and to none by default', () => {
  const other = TERMS.replace(/^/, '  - id: other\n    routes: [{ provider: local, model: o }]\n');
  const [model] = load(`${withModel(TERMS)}    fallback: [other]\n${other}`).models;
  expect(model?.fallback).toEqual(['other']);
  expect(load(withModel(TERMS)).models[0]).not.toHaveProperty('fallback');
});

test('a model has routes by weight, and may think', () => {
  const { models } = load(
    withModel(TERMS)
      .replace('{ provider: local, model: m }', '{ provider: local, model: m, weight: 3 }')
      .replace('    max_output', '    reasoning: true\n    max_output'),
  );
  expect(models).toMatchObject([{ routes: [{ provider: 'local', upstreamModel: 'm', weight: 3 }], reasoning: true }]);
  expect(load(withModel(TERMS)).models[0]).toMatchObject({ reasoning: false });
  expect(load(withModel(TERMS)).models[0]?.routes[0]).not.toHaveProperty('weight');
});

test('the cost of a route has the shape of a price, and is left out if it is not known', () => {
  const cost = '{ input: "0.2", output: "1.5", tiers: [{ above_input_tokens: 9, input: "1", output: "2" }] }';
  const costed = design.replace('model: gpt-5-mini }', `model: gpt-5-mini, cost: ${cost} }`);
  const [first, second] = load(costed, { OPENAI_API_KEY: 'sk-1' }).models[0]?.routes ?? [];
  expect(first?.cost).toMatchObject({
    rates: { input: 200_000_000n, cached_input: 200_000_000n, output: 1_500_000_000n, audio_output: 1_500_000_000n },
    tiers: [{ aboveInputTokens: 9, rates: { input: 1_000_000_000n, output: 2_000_000_000n } }],
  });
  expect(second).toEqual({ provider: 'local', upstreamModel: 'qwen3' });
});

test('a price is exact nano-USD per million; a class without a rate costs what input or output of its tier costs', () => {
  const [chat, embed] = config().models;
  expect(chat?.terms.price).toEqual({
    rates: {
      input: 250_000_000n,
      cached_input: 25_000_000n,
      cache_write_5m: 250_000_000n,
      cache_write_1h: 250_000_000n,
      audio_input: 250_000_000n,
      output: 2_000_000_000n,
      audio_output: 2_000_000_000n,
    },
    tiers: [
      {
        aboveInputTokens: 200_000,
        rates: {
          input: 500_000_000n,
          cached_input: 500_000_000n,
          cache_write_5m: 500_000_000n,
          cache_write_1h: 500_000_000n,
          audio_input: 500_000_000n,
          output: 3_000_000_000n,
          audio_output: 3_000_000_000n,
        },
      },
    ],
  });
  expect(embed?.terms).toMatchObject({
    kind: 'embedding',
    maxOutput: 0,
    price: { rates: { input: 20_000_000n, output: 0n } },
  });
});

test('a key can stand in a file of its own, named from the config file', () => {
  writeFileSync(join(cwd, 'key'), 'sk-2\n');
  expect(load('providers: { p: { kind: openai, base_url: http://h, api_key_file: key } }').providers[0]?.apiKey).toBe(
    'sk-2',
  );
  writeFileSync(join(cwd, 'key'), 'two\nlines\n');
  expect(faultOf('providers: { p: { kind: openai, base_url: http://h, api_key_file: key } }')).not.toContain('two');
});

test('an empty section counts as left out, and the whole is frozen', () => {
  const frozen = load('providers:\nmodels:\n# nothing yet\n');
  expect(frozen).toMatchObject({ providers: [], models: [], timeouts: { plainMs: 285_000, epochMs: 30_000 } });
  expect(Object.isFrozen(frozen.timeouts) && Object.isFrozen(frozen.models)).toBe(true);
});

test('where the data is can be told beside a file that is broken elsewhere', () => {
  writeFileSync(join(cwd, 'faregate.yaml'), 'data: "./${D}"\nserver: { prot: 1 }\nx: "${UNSET}"\n');
  expect(locateDataDirectory({ flags: {}, env: { D: 'there' }, cwd })).toBe(join(cwd, 'there'));
});
