import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { probeProviders } from '../app/probe.ts';
import type { Config } from '../../config/config.ts';
import type { UpgradePlan } from '../../control/doctor/upgrade-plan.ts';
import { runCli } from './cli.ts';
import { commandNames, wordsOf } from '../../../test/support/commands.ts';
import { startFakeInstance, type FakeInstance } from '../../../test/support/fake-instance.ts';
import { startScriptedUpstream } from '../../../test/support/scripted-upstream.ts';

let cwd: string;
let instance: FakeInstance;
let started: Config[];
/** The line typed in answer to a question; null if there is no terminal. */
let typed: string | null;
let asked: string[];
let plan: UpgradePlan;
/** Aborting it is what Ctrl-C does to a command that goes on. */
let stop: AbortController;
beforeEach(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'faregate-cli-'));
  mkdirSync(join(cwd, 'data'), { mode: 0o700 });
  instance = await startFakeInstance();
  writeFileSync(join(cwd, 'data/operator-token'), 'token-of-the-directory\n', { mode: 0o600 });
  writeFileSync(join(cwd, 'data/address'), `${instance.url}\n`);
  started = [];
  typed = null;
  asked = [];
  plan = PLAN;
  stop = new AbortController();
});
afterEach(async () => {
  await instance.close();
  rmSync(cwd, { recursive: true });
});

const PLAN: UpgradePlan = {
  version: '0.3.0',
  standing: 'behind',
  migrations: ['0029_more'],
  functions: ['draw', 'settle'],
  programs: ['0.2.0'],
  running: [{ version: '0.2.0', instanceId: 'i-1' }],
  problem: null,
};

/** Runs a command line (words separated by spaces; `~` stands for a space within a word). */
async function run(line: string, env: Record<string, string> = {}) {
  let [out, err] = ['', ''];
  const surroundings = {
    env,
    cwd,
    out: (text: string) => void (out += text),
    drained: () => Promise.resolve(),
    err: (text: string) => void (err += text),
    stopped: () => stop.signal,
    ask: (question: string) => {
      asked.push(question);
      return Promise.resolve(typed);
    },
    askSecret: () => Promise.resolve(null),
  };
  const parts = {
    start: async (config: Config) => void started.push(config),
    probe: probeProviders,
    listModels: () => Promise.resolve({ ok: false as const, problem: 'it is not there' }),
    verifyBackup: () => Promise.reject(new Error('nothing is verified here')),
    restore: async (config: Config, { file }: { readonly file: string }) => {
      if (readFileSync(file, 'utf8') !== 'backup of all') throw new Error(`${file} is no backup`);
      started.push(config);
    },
    planUpgrade: () => Promise.resolve(plan),
    migrate: () => Promise.resolve({ migrations: ['0029_more'], functions: ['draw', 'settle'] }),
  };
  const argv = line === '' ? [] : line.split(' ').map((word) => word.replaceAll('~', ' '));
  const code = await runCli(argv, parts, surroundings);
  return { code, out, err };
}

function answers(request: string, body: unknown, status = 200) {
  instance.answers.set(request.replace(' /', ' /admin/v1/'), { status, body });
}

const WORKSPACE = {
  id: 'w-1',
  name: 'Default',
  state: 'active',
  suspension_reason: null,
  created_at: '2026-01-01T00:00:00.000Z',
  balance_nano_usd: '5000000000',
  balance_usd: '5.00',
  credit_usd: '5.00',
  held_usd: '0.25',
  leased_usd: '2.00',
  owed_usd: '0.00',
};
const POSTED = {
  id: 'g-1',
  kind: 'grant',
  amount_usd: '2.50',
  balance_usd: '7.50',
  actor: 'operator',
  reason: 'x',
  posted_at: '2026-01-01',
  repeated: false,
};
const PROJECT = {
  id: 'p-1',
  workspace_id: 'w-1',
  name: 'Bot',
  requests_per_minute: 60,
  tokens_per_minute: null,
  concurrency: null,
  budget_usd: '5',
  budget_period: 'day',
  models: ['a', 'b/*'],
};
const KEY = {
  id: 'k-1',
  name: 'ci',
  masked_key: 'fg_live_abc…xyz',
  spend_limit_usd: null,
  used_usd: '0.00',
  held_usd: '0.00',
  leased_usd: '0.00',
  left_usd: null,
  resets_at: null,
  models: null,
  expires_at: null,
  disabled_at: null,
  revoked_at: null,
  former_secret_until: null,
};

test.each([
  'tomorrow',
  '2027-02-30',
  '2027-02-29',
  '2027-04-31',
  '2027-13-01',
  '2027-01-31T24:00Z',
  '2027-01-31T12:60Z',
])('no key is made that expires on %s, which no calendar has', async (date) => {
  const { code, err } = await run(`key create p --expires ${date}`);
  expect({ code, asked: instance.asked }).toEqual({ code: 1, asked: [] });
  expect(err).toContain('Write a date such as 2027-01-31');
});

test.each([
  ['workspace list', '/workspaces', [WORKSPACE, { ...WORKSPACE, id: 'w-2' }]],
  ['project list w-1', '/workspaces/w-1/projects', [PROJECT, { ...PROJECT, id: 'p-2' }]],
  ['key list Bot', '/workspaces/w-1/projects/Bot/keys', [KEY, { ...KEY, id: 'k-2' }]],
  ['credit history w-1', '/workspaces/w-1/history', [POSTED, { ...POSTED, id: 'e-2' }]],
])('a list is read page by page, to its end: %s', async (line, path, [first, second]) => {
  answers(`GET ${path}?limit=200`, { data: [first], next_cursor: 'after-the-first' });
  answers(`GET ${path}?limit=200&cursor=after-the-first`, { data: [second], next_cursor: null });
  const { code, out, err } = await run(`${line} --json`);
  expect({ code, err, printed: JSON.parse(out) }).toEqual({ code: 0, err: '', printed: { data: [first, second] } });
  const text = await run(line);
  expect(text).toMatchObject({ code: 0, err: '' });
  expect(text.out.trimEnd().split('\n')).toHaveLength(3);
});

test('all pages of a statement are of the month that was asked for', async () => {
  const line = { kind: 'grant', amount_usd: '1.00', balance_usd: '1.00', requests: null, reason: 'a test' };
  const [first, second] = ['2026-10-01T00:00:00Z', '2026-10-02T00:00:00Z'].map((at) => ({ ...line, starts_at: at }));
  const buyer = { name: 'Acme', address: null, tax_id: null };
  const month = { month: '2026-10', seller: null, buyer, opening_usd: '0.00', closing_usd: '2.00' };
  const path = 'GET /workspaces/w-1/statement?month=2026-10&limit=200';
  answers(path, { ...month, data: [first], next_cursor: 'after-the-first' });
  answers(`${path}&cursor=after-the-first`, { ...month, data: [second], next_cursor: null });
  const { code, out, err } = await run('credit statement w-1 --month 2026-10 --json');
  expect({ code, err, printed: JSON.parse(out) }).toEqual({
    code: 0,
    err: '',
    printed: { ...month, data: [first, second], next_cursor: null },
  });
});

test.each([
  ['90m', 90 * 60_000, 3_600_000],
  ['2h', 2 * 3_600_000, 3_600_000],
  ['3d', 3 * 86_400_000, 86_400_000],
])('usage of the last %s begins at the whole hour or day before', async (since, agoMs, unitMs) => {
  const asOf = Date.now();
  await run(`usage w-1 --since ${since}`);
  const from = new URL(instance.asked[0]?.path ?? '', instance.url).searchParams.get('from') ?? '';
  const beforeMs = Date.now() - agoMs - Date.parse(from);
  expect(Date.parse(from) % unitMs).toBe(0);
  expect(beforeMs).toBeGreaterThanOrEqual(0);
  expect(beforeMs - (Date.now() - asOf)).toBeLessThan(unitMs);
});

test('a list is read page by page, to its end: workspace show, with its projects', async () => {
  answers('GET /workspaces/Default', WORKSPACE);
  answers('GET /workspaces/w-1/projects?limit=200', { data: [PROJECT], next_cursor: null });
  const { code, out } = await run('workspace show Default --json');
  expect({ code, printed: JSON.parse(out) }).toEqual({ code: 0, printed: { ...WORKSPACE, projects: [PROJECT] } });
  const shown = (await run('workspace show Default')).out;
  expect(shown).toContain(PROJECT.id);
  expect(shown).toMatch(/^held +0\.25 USD\nleased +2\.00 USD, including holds$/m);
});

test.each([
  ['workspace create Team~One', 'POST /workspaces', { name: 'Team One' }, WORKSPACE],
  [
    'credit grant w-1 2.5 --reason thank~you',
    'POST /workspaces/w-1/postings',
    { kind: 'grant', amount_usd: '2.5', reason: 'thank you' },
    POSTED,
  ],
  [
    'credit top-up w-1 20 --reason invoice~7 --once invoice-7',
    'POST /workspaces/w-1/postings',
    { kind: 'top_up', amount_usd: '20', reason: 'invoice 7', once: 'invoice-7' },
    POSTED,
  ],
  [
    'credit refund w-1 3 --reason asked --yes',
    'POST /workspaces/w-1/postings',
    { kind: 'refund', amount_usd: '3', reason: 'asked' },
    POSTED,
  ],
  [
    'credit dispute w-1 3 --won --reason judged',
    'POST /workspaces/w-1/postings',
    { kind: 'dispute', won: true, amount_usd: '3', reason: 'judged' },
    POSTED,
  ],
  [
    'credit adjust w-1 -12.75 --reason slip',
    'POST /workspaces/w-1/postings',
    { kind: 'adjustment', amount_usd: '-12.75', reason: 'slip' },
    POSTED,
  ],
  [
    'workspace price w-1 --model gpt --discount 12.5%',
    'POST /workspaces/w-1/prices',
    { model: 'gpt', change_percent: '-12.5' },
    { model: 'gpt', change_percent: '-12.5', ended_at: null },
  ],
  [
    'workspace price w-1 --markup 20',
    'POST /workspaces/w-1/prices',
    { change_percent: '20' },
    { model: null, change_percent: '20', ended_at: null },
  ],
  [
    'workspace price w-1 --clear',
    'POST /workspaces/w-1/prices',
    { change_percent: null },
    { model: null, change_percent: '20', ended_at: '2027-01-31T12:00:00.000Z' },
  ],
  [
    'receipt correct r-1 --charge 0 --reason outage --once ticket-9',
    'POST /workspaces/w-1/receipts/r-1/corrections',
    { charge_usd: '0', reason: 'outage', once: 'ticket-9' },
    { posting: POSTED, receipt: { net_charge_usd: '0.00' } },
  ],
  [
    'receipt correct r-1 --price-version 2 --reason wrong~price',
    'POST /workspaces/w-1/receipts/r-1/corrections',
    { price_version: 2, reason: 'wrong price' },
    { posting: null, receipt: { net_charge_usd: '0.01' } },
  ],
  [
    'project create w-1 Bot --rpm 60 --tpm 9000 --concurrency 3 --budget 5 --period day --models a,b/*',
    'POST /workspaces/w-1/projects',
    {
      name: 'Bot',
      requests_per_minute: 60,
      tokens_per_minute: 9000,
      concurrency: 3,
      budget_usd: '5',
      budget_period: 'day',
      models: ['a', 'b/*'],
    },
    { ...PROJECT, warnings: [] },
  ],
  [
    'project update Default/Bot --rpm none --budget none --models none --report-cost true',
    'PATCH /workspaces/w-1/projects/Default~Bot',
    { requests_per_minute: null, budget_usd: null, models: null, report_cost: true },
    { ...PROJECT, warnings: [] },
  ],
  [
    'key create Bot --name ci --spend-limit 1.5 --models a --expires 2027-01-31',
    'POST /workspaces/w-1/projects/Bot/keys',
    { name: 'ci', spend_limit_usd: '1.5', models: ['a'], expires_at: '2027-01-31T00:00:00.000Z' },
    { ...KEY, key: 'fg_live_whole', warnings: [] },
  ],
  ['key revoke k-1', 'POST /workspaces/w-1/keys/k-1/revoke', null, { ...KEY, revoked_at: '2026-01-02' }],
  [
    'receipt --last',
    'GET /receipts/last',
    null,
    {
      request_id: 'r-1',
      charge_usd: '0.01',
      hold_usd: '0.02',
      write_off_usd: '0.00',
      fees_nano_usd: '0',
      outcome: 'completed',
      usage: { certainty: 'exact', tokens: { input: 3, output: 0 } },
      uses: { web_search: 2 },
      attempts: [],
      corrections: [POSTED],
      price_adjustment: null,
      left_out: [],
      levels: ['workspace', 'project', 'key'],
      cost: {
        above_input_tokens: 2,
        lines: [{ class: 'input', tokens: 3, rate_usd: '0.25', amount_usd: '0.00000075' }],
        fee_lines: [{ use: 'web_search', uses: 2, fee_usd: '0.01', amount_usd: '0.02' }],
        exact_usd: '0.00000075',
        cost_usd: '0.00000075',
      },
    },
  ],
  [
    'receipt --last',
    'GET /receipts/last',
    null,
    {
      usage: { tokens: {} },
      uses: {},
      attempts: [],
      corrections: [],
      levels: ['workspace', 'project', 'key'],
      cost: null,
      price_adjustment: null,
      left_out: [],
    },
  ],
  ['ledger verify', 'POST /ledger/verify', null, { ok: true, workspaces: 2, differences: [], difference_count: 0 }],
  [
    'catalogue diff',
    'GET /catalogue/diff',
    null,
    {
      changes: [
        { model: 'a', change: 'update', fields: [{ field: 'price.input', from: '1', to: '2' }], needs_accept: false },
      ],
    },
  ],
  ['catalogue apply --accept a b', 'POST /catalogue/apply', { accept: ['a', 'b'] }, { applied: [], withheld: [] }],
])('a command asks the admin API for one thing: %s', async (line, request, body, reply) => {
  answers(request, reply);
  const { code, out, err } = await run(`${line} --json`);
  expect(err).toBe('');
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual(reply);
  const [method, path] = request.split(' ');
  expect(instance.asked).toEqual([
    { method, path: `/admin/v1${path}`, authorization: 'Bearer token-of-the-directory', body },
  ]);

  const text = await run(line);
  expect(text).toMatchObject({ code: 0, err: '' });
  expect(text.out).toMatch(/^[^{].*\n$/s);
});

test('text for people is aligned, and control characters in names are removed', async () => {
  answers('GET /workspaces?limit=200', {
    next_cursor: null,
    data: [WORKSPACE, { ...WORKSPACE, name: 'x\u001b[2Jlonger name', balance_usd: '123.45' }],
  });
  expect((await run('workspace list')).out).toBe(
    [
      'NAME              STATE   BALANCE USD  CREATED                   ID',
      'Default           active         5.00  2026-01-01T00:00:00.000Z  w-1',
      'x [2Jlonger name  active       123.45  2026-01-01T00:00:00.000Z  w-1',
      '',
    ].join('\n'),
  );
});

test('a setting that is accepted but probably mistaken is noted after the result', async () => {
  const warnings = ['"a" matches no model that is on sale: did you mean "b"?'];
  answers('POST /workspaces/w-1/projects/Bot/keys', { ...KEY, key: 'fg_live_whole', warnings });
  answers('PATCH /workspaces/w-1/projects/Bot', { ...PROJECT, warnings });
  expect((await run('key create Bot --models a')).out).toMatch(/\nNote: "a" matches no model .* "b"\?\n$/);
  expect((await run('project update Bot --models a')).out).toMatch(/\nNote: "a" matches no model .* "b"\?\n$/);
});

/** What of a receipt its text needs. */
const RECEIPT = {
  usage: { certainty: 'exact', tokens: {} },
  uses: {},
  attempts: [],
  corrections: [],
  levels: ['workspace', 'project', 'member', 'key'],
  cost: null,
  price_version: 3,
  price_adjustment: null,
  left_out: [],
  price_version_id: '41',
  project_name: 'Bot',
  project_id: 'p-1',
};

test('a receipt shows the price version that it was charged at by its number within the model, not by its row', async () => {
  answers('GET /workspaces/w-1/requests/r-1', { kind: 'receipt', receipt: RECEIPT });
  const { out } = await run('receipt r-1');
  expect(out).toMatch(/^price version +3$/m);
  expect(out).toMatch(/^project +Bot \(p-1\)$/m);
  expect(out).toMatch(/^counts for +workspace, project, member, key$/m);
});

test('a receipt shows of each attempt with a strategy whether it was charged', async () => {
  const attempt = { provider: 'p', upstream_model: 'm', status: 200, duration_ms: 7, fault: null, strategy: 'ask' };
  const attempts = [
    { ...attempt, charged: null },
    { ...attempt, provider: 'q', charged: { usd: '1' } },
  ];
  answers('GET /workspaces/w-1/requests/r-1', { kind: 'receipt', receipt: { ...RECEIPT, attempts } });
  const { out } = await run('receipt r-1');
  expect(out).toMatch(/^p +m +200 .*ask +-$/m);
  expect(out).toMatch(/^q +m +200 .*ask +charged$/m);
});

test('the seals of receipts are listed with when they were made, and when their receipts were dropped', async () => {
  const seal = {
    from: '2026-10-05T00:00:00Z',
    to: '2026-10-12T00:00:00Z',
    receipts: 3,
    charges_usd: '1.5',
    sealed_at: '2026-11-01T00:00:00Z',
    dropped_at: '2026-11-02T00:00:00Z',
    digest: 'abc',
  };
  answers('GET /ledger/seals?limit=200', { data: [seal], next_cursor: null });
  const [headings = '', row = ''] = (await run('ledger seals')).out.split('\n');
  for (const [heading, value] of [
    ['SEALED', seal.sealed_at],
    ['DROPPED', seal.dropped_at],
  ] as const) {
    expect(row.indexOf(value)).toBe(headings.indexOf(heading));
  }
});

test('a catalogue diff without changes mentions the config rather than a file, since there may be no file', async () => {
  answers('GET /catalogue/diff', { changes: [] });
  expect((await run('catalogue diff')).out).toBe('The models on sale match the config.\n');
});

test.each(['00abcdefghijkl', 'abcdefghijkl'])("a key's secret never stands in a URL (%s)", async (publicId) => {
  answers(`POST /workspaces/w-1/keys/${publicId}/revoke`, KEY);
  expect(await run(`key revoke fg_live_${publicId}${'S'.repeat(39)}`)).toMatchObject({ code: 0, err: '' });
  expect(instance.asked).toHaveLength(1);
  expect(instance.lookedUp).not.toEqual([]);
  for (const path of [...instance.lookedUp, instance.asked[0]?.path]) expect(path).not.toContain('SSS');
});

describe('irreversible commands ask for confirmation', () => {
  const refund = 'credit refund w-1 3 --reason asked';
  const drop = 'ledger seal 2026-01-01 --drop';
  beforeEach(() => {
    answers('POST /workspaces/w-1/postings', POSTED);
    answers('POST /ledger/seal', { sealed: [], dropped: [] });
  });

  test.each([refund, drop])('an irreversible command runs once a person confirms it: %s', async (line) => {
    for (const [answer, isDone] of [
      ['y', true],
      ['YES', true],
      ['', false],
      ['n', false],
      ['maybe', false],
    ] as const) {
      typed = answer;
      instance.asked.length = 0;
      expect((await run(line)).code).toBe(isDone ? 0 : 1);
      expect(instance.asked).toHaveLength(isDone ? 1 : 0);
    }
    expect(asked[0]).toMatch(
      /^This (takes 3 USD of credit away from w-1|drops all receipts .*)\. Continue\? \[y\/N\] $/,
    );
  });

  test.each([refund, drop])('an irreversible command runs for a script that gives --yes: %s', async (line) => {
    expect(await run(line)).toMatchObject({
      code: 1,
      err: expect.stringContaining('To confirm, repeat the command with --yes'),
    });
    expect(instance.asked).toEqual([]);
    expect((await run(`${line} --yes`)).code).toBe(0);
  });
});

test.each([
  ['strat', "faregate: unknown command 'strat' (Did you mean start?)"],
  ['workspace crate', "faregate: unknown command 'crate' (Did you mean create?)"],
  ['workspace list --jsno', "faregate: unknown option '--jsno' (Did you mean --json?)"],
  ['workspace create', "faregate: missing required argument 'name'"],
  ['credit grant w-1 5', "faregate: required option '--reason <text>' not specified"],
  ['credit grant w-1 1e3 --reason x', expect.stringContaining('Write an amount of USD such as 5 or 0.25')],
  ['credit grant w-1 -5 --reason x', expect.stringContaining('Write an amount of USD such as 5 or 0.25')],
  ['project create w-1 x --rpm 0', expect.stringContaining('Write a whole number above 0, or none.')],
  ['project create w-1 x --period year', expect.stringContaining('Allowed choices are day, week, month, never.')],
  ['project update p-1 --report-cost on', expect.stringContaining('Allowed choices are true, false.')],
  ['project update p-1', 'faregate: nothing to change; give an option such as --rpm 60'],
  ['receipt', 'faregate: name one request: by the x-request-id of its answer, or with --last'],
  ['receipt r-1 --last', 'faregate: name one request: by the x-request-id of its answer, or with --last'],
  ['start --port 99999', 'faregate: --port: is not a port; write a whole number from 0 to 65535'],
  ['start --config none.yaml', 'faregate: none.yaml: no such file; name an existing one with --config'],
  ['workspace show nobody', 'faregate: There is no such thing. (NOT_FOUND)'],
  [
    'workspace list --url ftp://x',
    'faregate: the address of the instance is not usable; write one such as --url http://127.0.0.1:8080',
  ],
  ['restore nothing', expect.stringMatching(/^faregate: .*nothing cannot be read \(ENOENT\)$/)],
  ['backup there/is/none', expect.stringMatching(/^faregate: /)],
])('a failure is one line on stderr and a non-zero exit code: %s', async (line, expected) => {
  const { code, out, err } = await run(line);
  expect(code).not.toBe(0);
  expect(out).toBe('');
  expect(err.endsWith('\n')).toBe(true);
  expect(err.trimEnd()).not.toContain('\n');
  expect(err.trimEnd()).toEqual(expected);
  expect(started).toEqual([]);
});

test.each([
  ['workspace crate --json', 'USAGE'],
  ['--json workspace create', 'USAGE'],
  ['key create p --expires 2027-02-30 --json', 'USAGE'],
  ['start --config none.yaml --json', 'INVALID_CONFIG'],
  ['workspace list --data elsewhere --json', 'FAILED'],
  ['workspace list --url http://127.0.0.1:1 --json', 'UNREACHABLE'],
  ['workspace show nobody --json', 'NOT_FOUND'],
])('a failure is an object with a code for programs: %s', async (line, code) => {
  const failed = await run(line);
  expect(failed).toMatchObject({ code: 1, out: '' });
  expect(failed.err).toMatch(/^\{[^\n]+\}\n$/);
  expect(JSON.parse(failed.err)).toEqual({ error: { code, message: expect.any(String), param: null } });
});

test('a failure is one line on stderr and a non-zero exit code: no instance answers', async () => {
  await instance.close();
  const { code, err } = await run('workspace list');
  expect(code).toBe(1);
  expect(err).toBe(
    `faregate: no instance answers at ${instance.url}; start one with "faregate start", or give its address with --url\n`,
  );
});

test('a failure is one line on stderr and a non-zero exit code: no instance has ever run here', async () => {
  const { code, err } = await run('workspace list --data elsewhere');
  expect(code).toBe(1);
  expect(err).toMatch(
    /^faregate: no instance has run with the data directory [^\n]*elsewhere; run "faregate start"[^\n]*\n$/,
  );
});

test('a failure is one line on stderr and a non-zero exit code: the token is refused', async () => {
  answers(
    'GET /workspaces?limit=200',
    { error: { message: 'Wrong token.', code: 'UNAUTHENTICATED', param: null, type: 'invalid_request_error' } },
    401,
  );
  const { code, err } = await run('workspace list', { FAREGATE_OPERATOR_TOKEN: 'wrong-token' });
  expect(code).toBe(1);
  expect(err).toBe(
    'faregate: Wrong token. Correct FAREGATE_OPERATOR_TOKEN, or unset it and give the data directory of the instance with --data (UNAUTHENTICATED)\n',
  );
  expect((await run('workspace list')).err).toBe(
    'faregate: Wrong token. Give the data directory of the instance with --data, or set FAREGATE_OPERATOR_TOKEN (UNAUTHENTICATED)\n',
  );
});

test('a failure is one line on stderr and a non-zero exit code: the ledger differs', async () => {
  const differences = [{ check: 'purse_spent', workspace_id: 'w-1', subject_id: '7', expected: '1', actual: '2' }];
  answers('POST /ledger/verify', { ok: false, workspaces: 1, differences, difference_count: 1 });
  const { code, out, err } = await run('ledger verify --json');
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({ ok: false, differences });
  expect(JSON.parse(err)).toMatchObject({ error: { code: 'FAILED' } });
  const text = await run('ledger verify');
  expect(text.err).toMatch(/^faregate: the ledger does not add up[^\n]*\n$/);
  expect(text.out).toMatch(/purse_spent +w-1 +7 +1 +2/);
});

test('a failure is one line on stderr and a non-zero code: a price that changes more than tenfold needs --accept', async () => {
  const withheld = [{ model: 'a', change: 'update', fields: [], needs_accept: true }];
  answers('POST /catalogue/apply', { applied: [], withheld });
  const { code, err } = await run('catalogue apply');
  expect(code).toBe(1);
  expect(err).toContain('--accept a\n');
});

test('commands prefer --url to FAREGATE_URL to the directory’s address, and the environment’s token to its token', async () => {
  answers('GET /workspaces?limit=200', { data: [], next_cursor: null });
  writeFileSync(join(cwd, 'data/address'), 'http://127.0.0.1:1\n');
  const unreachable = { FAREGATE_URL: 'http://127.0.0.1:1' };
  expect((await run('workspace list')).code).toBe(1);
  expect((await run('workspace list', { FAREGATE_URL: `${instance.url}/` })).code).toBe(0);
  expect((await run(`workspace list --url ${instance.url}`, unreachable)).code).toBe(0);
  expect((await run(`--url ${instance.url} workspace list`, { FAREGATE_OPERATOR_TOKEN: 'other' })).code).toBe(0);
  expect(instance.asked.map(({ authorization }) => authorization)).toEqual([
    'Bearer token-of-the-directory',
    'Bearer token-of-the-directory',
    'Bearer other',
  ]);
});

test('the data directory is found by flag, environment or file, even beside a file that is broken elsewhere', async () => {
  answers('GET /workspaces?limit=200', { data: [], next_cursor: null });
  rmSync(join(cwd, 'data'), { recursive: true });
  mkdirSync(join(cwd, 'my data'));
  writeFileSync(join(cwd, 'my data/operator-token'), 't');
  writeFileSync(join(cwd, 'my data/address'), instance.url);
  expect((await run('workspace list')).code).toBe(1);
  expect((await run('workspace list --data my~data')).code).toBe(0);
  expect((await run('workspace list', { FAREGATE_DATA: 'my data' })).code).toBe(0);
  writeFileSync(join(cwd, 'faregate.yaml'), 'data: my data\nserver: { prot: 1 }\n');
  expect((await run('workspace list')).code).toBe(0);
});

test('start passes the configuration on, in which flags take precedence', async () => {
  expect((await run('start --port 0 --host 0.0.0.0 --data d', { FAREGATE_PORT: '9' })).code).toBe(0);
  expect(started[0]).toMatchObject({
    server: { port: 0, host: '0.0.0.0' },
    dataDirectory: join(cwd, 'd'),
    bootstrap: true,
  });
  await run('start --no-bootstrap');
  await run('start --bootstrap', { DATABASE_URL: 'postgres://h/d' });
  await run('start', { DATABASE_URL: 'postgres://h/d' });
  expect(started.slice(1).map(({ bootstrap }) => bootstrap)).toEqual([false, true, false]);
});

test('config check, print and schema need no instance', async () => {
  writeFileSync(
    join(cwd, 'faregate.yaml'),
    'providers: { p: { kind: openai, base_url: "http://h/v1", api_key: hunter2 } }\n',
  );
  const checked = JSON.parse((await run('config check --json')).out) as object;
  expect(checked).toMatchObject({
    ok: true,
    providers: 1,
    models: 0,
    warnings: [expect.stringMatching(/every request will be refused/)],
  });
  const printed = await run('config print --json');
  expect(JSON.parse(printed.out)).toMatchObject({ providers: { p: { api_key: '***' } } });
  expect(printed.out + (await run('config print')).out).not.toContain('hunter2');
  expect(JSON.parse((await run('config schema')).out)).toMatchObject({ type: 'object', additionalProperties: false });
  writeFileSync(join(cwd, 'faregate.yaml'), 'server: { prot: 1 }\n');
  expect(await run('config check')).toEqual({
    code: 1,
    out: '',
    err: 'faregate: faregate.yaml:1:11: unknown key "prot"; did you mean "port"?\n',
  });
});

test('config check warns if the running instance would lose most of its models', async () => {
  writeFileSync(join(cwd, 'faregate.yaml'), 'models: []\n');
  instance.answers.set('GET /admin/v1/catalogue/diff', { status: 200, body: { changes: [], on_sale: ['a', 'b'] } });
  const runsWith = (file: string | null): void =>
    void instance.answers.set('GET /admin/v1/settings', { status: 200, body: { file, problem: null, settings: [] } });
  runsWith('/etc/faregate.yaml');
  const { code, out } = await run('config check');
  expect(code).toBe(0);
  expect(out).toMatch(/takes 2 of 2 models off sale: a, b\..* apply --accept a b/);
  runsWith(null);
  expect((await run('config check')).out).toMatch(/off sale: a, b\. .* had no config file, ends their sale /);
  instance.answers.set('GET /admin/v1/catalogue/diff', { status: 200, body: { changes: [] } });
  expect((await run('config check')).out).not.toContain('off sale');
});

test('config check --probe reports what works at each provider, and fails if requests will fail', async () => {
  const server = await startScriptedUpstream((response, { headers }) => {
    const isLetIn = headers.authorization === 'Bearer right';
    response.writeHead(isLetIn ? 200 : 401).end(isLetIn ? '{"data":[{"id":"m"},{"id":"n"}]}' : '{}');
  });
  const file = (key: string, model: string) => `
providers:
  near: { kind: openai, base_url: "${server.origin}/v1", api_key: ${key} }
  toys: { kind: sandbox }
models:
  - id: one
    routes: [{ provider: near, model: m }, { provider: near, model: ${model} }]
    price: { input: "1", output: "2" }
    context_window: 9
    max_output: 5
`;
  writeFileSync(join(cwd, 'faregate.yaml'), file('right', 'n'));
  const good = await run('config check --probe');
  expect(good).toMatchObject({ code: 0, err: '' });
  expect(good.out.split('\n').slice(1, 3)).toEqual([
    'ok    near            is reachable; accepts the key; has all 2 models',
    'ok    toys            is reachable; no route uses it',
  ]);
  writeFileSync(join(cwd, 'faregate.yaml'), file('right', 'gone'));
  const missing = await run('config check --probe --json');
  expect(missing.code).toBe(1);
  expect(JSON.parse(missing.err)).toMatchObject({ error: { message: 'config: requests will fail at near' } });
  expect(JSON.parse(missing.out)).toMatchObject({
    ok: false,
    probes: [{ provider: 'near', status: 'fail', message: 'is reachable; accepts the key; does not have "gone"' }, {}],
  });
  writeFileSync(join(cwd, 'faregate.yaml'), file('hunter2', 'n'));
  const refused = await run('config check --probe');
  expect(refused.out).toContain(
    'fail  near            is reachable; it refuses the key; does not report whether it has',
  );
  expect(refused.out + refused.err).not.toContain('hunter2');
  await server.stop();
  expect((await run('config check --probe')).out).toMatch(/fail {2}near {12}cannot be reached: .*ECONNREFUSED/);
});

test('--help and --version are no failures', async () => {
  expect(await run('workspace --help')).toMatchObject({ code: 0, err: '' });
  expect((await run('--version')).out).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test.each(commandNames())('the help of a command ends in an example that it understands: %s', async (name) => {
  const { out } = await run(`${name} --help`);
  const words = /\nExample:\n {2}\$ faregate (.+)\n$/.exec(out)?.[1] ?? '';
  expect(`${words} `).toContain(`${name} `);
  const { err } = await run(
    wordsOf(words)
      .map((word) => word.replaceAll(' ', '~'))
      .concat('--json')
      .join(' '),
  );
  expect(err).not.toContain('"USAGE"');
});

test('the help of all commands fits into 100 columns, in groups', async () => {
  const { out } = await run('--help');
  expect(out.split('\n').filter((line) => line.length > 100)).toEqual([]);
  expect(out).toMatch(/\nThe instance:\n(.+\n)+\nModels and prices:\n(.+\n)+\nWorkspaces:\n/);
});

const STATUS = { version: '1.2.3', ready: true, started_at: '2026-01-01', database: 'embedded', problems: [] };
async function findings(line = 'doctor --json', env = {}): Promise<{ code: number; byCheck: Record<string, string> }> {
  const { code, out } = await run(line, env);
  const report = JSON.parse(out) as { findings: { check: string; status: string }[] };
  return { code, byCheck: Object.fromEntries(report.findings.map(({ check, status }) => [check, status])) };
}

const HERE = ['runtime', 'config', 'data directory', 'disk space', 'fsync', 'open files', 'database'];

test('doctor shows the findings of the running instance, not those of its own surroundings', async () => {
  answers('GET /status', STATUS);
  answers('GET /doctor', { data: [{ check: 'fsync', status: 'fail', message: 'slow', advice: 'a faster disk' }] });
  writeFileSync(join(cwd, 'faregate.yaml'), 'providers: { p: { kind: openai, base_url: "${UNSET_HERE}" } }\n');
  const env = { DATABASE_URL: 'postgres://127.0.0.1:1/d' };
  expect(await findings('doctor --json', env)).toEqual({
    code: 1,
    byCheck: { instance: 'ok', fsync: 'fail', 'config here': 'warn' },
  });
  expect((await run('doctor')).out).toContain('fail  fsync           slow; a faster disk\n');
});

test('doctor without a running instance examines the surroundings of one started here', async () => {
  await instance.close();
  expect(await findings()).toEqual({
    code: 0,
    byCheck: { instance: 'warn', ...Object.fromEntries(HERE.map((check) => [check, 'ok'])) },
  });
});

test('doctor says what a start would do with the schema of a database that answers', async () => {
  await instance.close();
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  onTestFinished(() => void listener.close());
  const env = { DATABASE_URL: `postgres://127.0.0.1:${(listener.address() as AddressInfo).port}/d` };
  expect((await run('doctor', env)).out).toContain(
    'ok    schema          a start of 0.3.0 applies 1 migration (0029_more) and 2 functions, while 0.2.0 serves on\n',
  );
  plan = { ...PLAN, problem: 'Faregate 0.1.0 serves on it' };
  expect(await findings('doctor --json', env)).toMatchObject({ code: 1, byCheck: { database: 'ok', schema: 'fail' } });
});

test('migrate --check says what a start would do with the database, and fails where it would be refused', async () => {
  expect(await run('migrate --check')).toEqual({
    code: 0,
    out: 'a start of 0.3.0 applies 1 migration (0029_more) and 2 functions, while 0.2.0 serves on\n',
    err: '',
  });
  plan = { ...PLAN, standing: 'ahead', programs: ['0.3.0', '0.4.0'] };
  expect((await run('migrate --check')).out).toBe('the database was upgraded for 0.4.0, and 0.3.0 may serve on it\n');
  plan = { ...PLAN, problem: 'Faregate 0.1.0 serves on it: stop it' };
  expect(await run('migrate --check')).toMatchObject({
    code: 1,
    err: 'faregate: Faregate 0.1.0 serves on it: stop it\n',
  });
});

test('migrate names what it has applied', async () => {
  expect(await run('migrate')).toEqual({ code: 0, out: 'Applied 1 migration and 2 functions.\n', err: '' });
  expect(JSON.parse((await run('migrate --json')).out)).toEqual({
    migrations: ['0029_more'],
    functions: ['draw', 'settle'],
  });
});

test('doctor fails if the instance is not ready', async () => {
  answers('GET /doctor', { data: [] });
  answers('GET /status', { ...STATUS, ready: false, problems: ['The database is away.'] });
  expect(await findings()).toMatchObject({ code: 1, byCheck: { instance: 'fail' } });
});

test('doctor finds a broken config, an unreachable database and an open data directory together', async () => {
  expect(await findings('doctor --json', { DATABASE_URL: 'postgres://127.0.0.1:1/d' })).toMatchObject({
    code: 1,
    byCheck: { database: 'fail' },
  });
  writeFileSync(join(cwd, 'faregate.yaml'), 'server: { prot: 1 }\n');
  mkdirSync(join(cwd, 'open'), { mode: 0o755 });
  expect(await findings('doctor --json --data open')).toMatchObject({
    code: 1,
    byCheck: { config: 'fail', 'data directory': 'warn' },
  });
});

describe('catalogue import', () => {
  const limits = '"mode": "chat", "max_input_tokens": 1000, "max_output_tokens": 100';
  const map = `{
    "gpt": {"litellm_provider": "openai", ${limits}, "input_cost_per_token": 2.5e-07, "output_cost_per_token": 2e-06},
    "gpt-image": {"litellm_provider": "openai", "mode": "image_generation"},
    "far/away": {"litellm_provider": "far", ${limits}, "input_cost_per_token": 1e-06, "output_cost_per_token": 3e-06}
  }`;
  const config = `# Ours.
providers:
  openai: { kind: openai, base_url: "http://127.0.0.1:1/v1" }
models:
  - id: gpt # the one
    routes: [{ provider: openai, model: special }]
    price: { input: "9", output: "9" }
    context_window: 10
    max_output: 5
`;
  beforeEach(() => {
    writeFileSync(join(cwd, 'map.json'), map);
    writeFileSync(join(cwd, 'faregate.yaml'), config);
  });

  test('catalogue import prints all models of the configured providers, and the reason for each skipped one', async () => {
    const printed = await run('catalogue import map.json');
    expect(printed).toMatchObject({
      code: 0,
      err: 'skipped gpt-image: it is for "image_generation", not chat or embeddings\n',
    });
    expect(printed.out).toContain('  - id: gpt\n    routes:\n      - provider: openai\n        model: gpt\n');
    expect(printed.out).toContain('input: "0.25"');
    expect(printed.out).not.toContain('away');
  });

  test('catalogue import merges the named models into the file, which stays valid, and reports all others', async () => {
    const merged = await run('catalogue import map.json --models gpt,far/away --provider openai --out faregate.yaml');
    expect(merged).toEqual({
      code: 0,
      out: `${join(cwd, 'faregate.yaml')}: 1 added, 1 updated, 0 unchanged, 0 untouched.\n`,
      err: '',
    });
    const text = readFileSync(join(cwd, 'faregate.yaml'), 'utf8');
    expect(text).toContain('  - id: gpt # the one\n    routes: [ { provider: openai, model: special } ]\n');
    expect((await run('config check')).out).toContain('1 provider, 2 models');
    const again = await run('catalogue import map.json --models gpt --out faregate.yaml --json');
    expect(JSON.parse(again.out)).toMatchObject({ added: [], updated: [], unchanged: ['gpt'] });
    expect(readFileSync(join(cwd, 'faregate.yaml'), 'utf8')).toBe(text);
  });

  test.each([
    ['--models gtp', 'skipped gtp: the map has no such model; did you mean "gpt"?\nfaregate: not imported: gtp\n'],
    [
      '--models far/away',
      'skipped far/away: none of the configured providers, or more than one, is of the kind "far"; name one with --provider\nfaregate: not imported: far/away\n',
    ],
    ['--provider far', 'faregate: the configuration has no provider "far"; it has openai\n'],
  ])('catalogue import refuses what it does not have: %s', async (options, err) => {
    expect(await run(`catalogue import map.json ${options}`)).toEqual({ code: 1, out: '', err });
  });

  test.each([
    ['none.json', /none\.json does not exist\n$/],
    ['faregate.yaml', /faregate\.yaml is not LiteLLM's price map\n$/],
  ])('catalogue import refuses %s, which is no map', async (file, err) => {
    expect(await run(`catalogue import ${file}`)).toMatchObject({ code: 1, err: expect.stringMatching(err) });
  });
});

test('a backup is written completely, readable by its owner only, and restore accepts it', async () => {
  answers('GET /backup', Buffer.from('backup of all'));
  expect(JSON.parse((await run('backup saved --json')).out)).toEqual({ file: join(cwd, 'saved'), bytes: 13 });
  expect(statSync(join(cwd, 'saved')).mode & 0o777).toBe(0o600);
  const restored = await run('restore saved --data new');
  expect(restored).toMatchObject({ code: 0, out: expect.stringContaining('"faregate start --data new"') });
  expect(started[0]?.dataDirectory).toBe(join(cwd, 'new'));
  expect(await run('backup saved')).toMatchObject({ code: 1, err: expect.stringContaining('saved exists already') });
  answers('GET /backup', Buffer.from('another backup'));
  expect(await run('backup saved --overwrite')).toMatchObject({ code: 0, out: expect.stringContaining('Wrote 14') });
  writeFileSync(join(cwd, 'saved'), 'not one');
  expect(await run('restore saved')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^faregate: [^\n]* is no backup\n$/),
  });
});

test('operator tokens are created, listed, revoked and rotated by commands', async () => {
  const token = {
    id: 't-1',
    name: 'metrics',
    masked_token: 'fg_op_…abcd',
    read_only: true,
    backup: false,
    created_by: 'operator',
    created_at: '2026-01-01T00:00:00.000Z',
    last_used_at: null,
    revoked_at: null,
  };
  answers('POST /operator-tokens', { ...token, token: 'fg_op_secret' }, 201);
  expect((await run('token create --read-only --name metrics')).out).toMatch(
    /token +fg_op_secret\nname +metrics\nmay +read\nid +t-1\n\nKeep the token now: it is not shown again\.\n$/,
  );
  expect(instance.asked.at(-1)?.body).toEqual({ name: 'metrics', read_only: true });
  answers('POST /operator-tokens', { ...token, backup: true, token: 'fg_op_secret' }, 201);
  expect((await run('token create --read-only --backup --name nightly')).out).toContain('read, back up');
  expect(instance.asked.at(-1)?.body).toEqual({ name: 'nightly', read_only: true, backup: true });
  expect((await run('token create --backup --name weekly')).out).toContain('read, back up');
  expect(instance.asked.at(-1)?.body).toEqual({ name: 'weekly', read_only: true, backup: true });
  expect((await run('token create')).err).toContain('--name');
  answers('GET /operator-tokens?limit=200', { data: [token], next_cursor: null });
  expect((await run('token list')).out).toMatch(/metrics +fg_op_…abcd +read +/);
  answers('POST /operator-tokens/metrics/revoke', token);
  expect((await run('token revoke metrics')).out).toBe('Revoked metrics.\n');
  answers('POST /operator-tokens/rotate', { token: 'new' }, 201);
  expect((await run('token rotate --json')).out).toBe('{"token":"new"}\n');
});

test('users are listed, and get links, by commands', async () => {
  const user = {
    id: 'u-1',
    email: 'ada@example.com',
    name: 'Ada',
    is_operator: true,
    workspaces: [{ id: 'w-1', name: 'acme', role: 'owner' }],
    last_seen_at: null,
    disabled_at: null,
  };
  answers('GET /users?search=ada&limit=200', { data: [user], next_cursor: null });
  answers('GET /users?limit=200&search=ada', { data: [user], next_cursor: null });
  expect((await run('user list --search ada')).out).toMatch(/ada@example.com +Ada +yes +acme \(owner\) +/);
  answers('GET /users?search=ada%40example.com&limit=200', { data: [user], next_cursor: null });
  answers('POST /users/u-1/reset-link', { link: 'https://gateway.example/reset-password#x' }, 201);
  expect((await run('user reset-link Ada@Example.com')).out).toBe('https://gateway.example/reset-password#x\n');
  answers('GET /users?search=bob%40example.com&limit=200', { data: [], next_cursor: null });
  expect((await run('user reset-link bob@example.com')).err).toContain('there is no user with the email address');
  answers('POST /set-up-links', { link: 'https://gateway.example/set-up#x' }, 201);
  expect((await run('user set-up-link')).out).toBe('https://gateway.example/set-up#x\n');
});

test('requests needs no workspace if there is only one that is not closed', async () => {
  const closed = { ...WORKSPACE, id: 'w-0', state: 'closed' };
  answers('GET /workspaces?limit=200', { data: [closed, WORKSPACE], next_cursor: null });
  answers('GET /workspaces/w-1/receipts?outcome=failed&dialect=embeddings&limit=20', { data: [], next_cursor: null });
  expect(await run('requests --outcome failed --dialect embeddings')).toMatchObject({
    code: 0,
    out: 'No request was found.\n',
  });
  answers('GET /workspaces?limit=200', { data: [WORKSPACE, { ...WORKSPACE, id: 'w-2' }], next_cursor: null });
  expect((await run('requests')).err).toContain('there are several workspaces; name one');
  expect((await run('requests --outcome odd')).err).toContain('Allowed choices are completed');
});

test('members are listed, invited, given another role and removed by commands', async () => {
  const member = {
    id: 'u-1',
    email: 'ada@example.com',
    name: 'Ada',
    role: 'viewer',
    monthly_limit_usd: null,
    raised_limit_usd: null,
    raised_until: null,
    standing: null,
    last_seen_at: null,
  };
  answers('GET /workspaces/acme/members?limit=200', { data: [member], next_cursor: null });
  expect((await run('member list acme')).out).toMatch(/ada@example.com +Ada +viewer +- +- +u-1/);
  answers('PATCH /workspaces/acme/members/u-1', { ...member, role: 'admin' });
  expect((await run('member role acme Ada@Example.com --role admin')).out).toBe('ada@example.com is admin now.\n');
  expect(instance.asked.at(-1)?.body).toEqual({ role: 'admin' });
  expect((await run('member role acme bob@example.com --role admin')).err).toContain('acme has no member');
  expect((await run('member role acme u-1 --role king')).err).toContain('Allowed choices are owner');
  answers('PATCH /workspaces/acme/members/u-1', { ...member, monthly_limit_usd: '20', standing: { used_usd: '3.00' } });
  expect((await run('member update acme u-1 --monthly-limit 20')).out).toBe(
    'ada@example.com: 20 USD a month, 3.00 USD used.\n',
  );
  expect(instance.asked.at(-1)?.body).toEqual({ monthly_limit_usd: '20' });
  answers('DELETE /workspaces/acme/members/u-1', { done: true });
  expect(await run('member remove acme u-1')).toMatchObject({ code: 1, err: expect.stringContaining('--yes') });
  expect((await run('member remove acme u-1 --yes')).out).toBe('Removed.\n');

  const invitation = {
    id: 'i-1',
    email: 'bob@example.com',
    role: 'billing',
    expires_at: '2027-01-31',
    invited_by: null,
  };
  answers('POST /workspaces/acme/invitations', { ...invitation, link: 'https://gateway.example/invitation#x' }, 201);
  expect((await run('member invite acme bob@example.com --role billing')).out).toContain(
    'gateway.example/invitation#x',
  );
  answers('GET /workspaces/acme/invitations?limit=200', { data: [invitation], next_cursor: null });
  expect((await run('invitation list acme')).out).toMatch(/bob@example.com +billing +operator/);
  answers('DELETE /workspaces/acme/invitations/i-1', { done: true });
  expect((await run('invitation revoke acme i-1 --json')).out).toBe('{"done":true}\n');
});
