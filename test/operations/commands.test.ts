import { chmod, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordAudit } from '../../src/control/audit/audit.ts';
import { parseCsv } from '../support/csv.ts';
import { cleanEnvironment, type Program, runCommandProcess, startProgram } from '../support/program.ts';
import type { CliResult } from '../support/run-command.ts';
import { scopeOf } from '../support/scopes.ts';
import type { Tenant } from '../support/tenant.ts';

// Every command as an operator types it, against an instance that runs; and an instance that moves to another
// directory by backup and restore.

let program: Program;
let tenant: Tenant;
let requestId: string;
let scratch: string;

/** What is to be ended in the end, the last first, however far it has come. */
const running = new AsyncDisposableStack();
afterAll(() => running.disposeAsync());

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'faregate-commands-'));
  running.defer(() => rm(scratch, { recursive: true, force: true }));
  await chmod(scratch, 0o711);
  program = await startProgram();
  running.defer(() => program.dispose());
  tenant = await program.createTenant({ credit: '5', project: { requests_per_minute: 600 }, key: { name: 'first' } });
  requestId = (await spend(program)).headers.get('x-request-id') ?? '';
});

async function spend(instance: Program): Promise<Response> {
  const answer = await instance.chat(tenant.key, {
    model: 'sandbox/echo',
    max_tokens: 100,
    messages: [{ role: 'user', content: 'hi' }],
  });
  expect(answer.status).toBe(200);
  await answer.text();
  return answer;
}

/** In JSON an amount is an integer of nano-USD in a string, beside the same in USD. */
function expectAmounts(value: unknown): void {
  if (Array.isArray(value)) value.forEach(expectAmounts);
  if (typeof value !== 'object' || value === null) return;
  const record = value as Record<string, unknown>;
  for (const [name, field] of Object.entries(record)) {
    expectAmounts(field);
    if (!name.endsWith('_nano_usd')) continue;
    const usd = record[name.replace(/_nano_usd$/, '_usd')];
    if (field === null) expect(usd).toBeNull();
    else expect([field, usd]).toEqual([expect.stringMatching(/^-?\d+$/), expect.stringMatching(/^-?\d+\.\d{2,9}$/)]);
  }
}

/** As an operator's shell runs it. */
const inProcess = (args: readonly string[], data: string): Promise<CliResult> =>
  runCommandProcess(args, cleanEnvironment({ FAREGATE_DATA: data }), scratch);

function expectSuccess(result: CliResult): string {
  expect(result).toMatchObject({ code: 0, stderr: '' });
  expect(result.stdout).toMatch(/\n$/);
  return result.stdout;
}

// A function, because a name is known only once its thing is made. The last is what the JSON holds at least.
const commands: readonly (readonly [string, () => readonly string[], object])[] = [
  ['workspace create', () => ['workspace', 'create', aName()], { id: expect.any(String), balance_nano_usd: '0' }],
  ['workspace list', () => ['workspace', 'list'], { data: expect.any(Array) }],
  ['workspace show', () => ['workspace', 'show', tenant.workspaceId], { credit_nano_usd: expect.any(String) }],
  [
    'credit grant',
    () => ['credit', 'grant', tenant.workspaceId, '0.5', '--reason', 'a test'],
    { id: expect.any(String), amount_nano_usd: '500000000' },
  ],
  ['credit history', () => ['credit', 'history', tenant.workspaceId], { data: expect.any(Array) }],
  [
    'project create',
    () => ['project', 'create', tenant.workspaceId, aName(), '--rpm', '60', '--tpm', '90000', ...budget],
    { requests_per_minute: 60, tokens_per_minute: 90_000, budget_nano_usd: '2500000000', budget_period: 'week' },
  ],
  ['project update', () => ['project', 'update', tenant.projectId, '--tpm', '100000'], { tokens_per_minute: 100_000 }],
  ['project list', () => ['project', 'list', tenant.workspaceId], { data: expect.any(Array) }],
  [
    'key create',
    () => ['key', 'create', tenant.projectId, '--name', aName(), '--spend-limit', '1', '--expires', '2099-01-31'],
    {
      id: expect.any(String),
      key: expect.stringMatching(/^fg_live_/),
      spend_limit_nano_usd: '1000000000',
      expires_at: '2099-01-31T00:00:00.000Z',
    },
  ],
  ['key list', () => ['key', 'list', tenant.projectId], { data: expect.any(Array) }],
  [
    'receipt',
    () => ['receipt', requestId],
    {
      charge_nano_usd: expect.any(String),
      hold_nano_usd: expect.any(String),
      usage: { certainty: 'exact' },
      attempts: [{ provider: 'sandbox' }],
    },
  ],
  ['receipt --last', () => ['receipt', '--last'], { request_id: expect.any(String), project_name: expect.any(String) }],
  ['ledger verify', () => ['ledger', 'verify'], { ok: true, difference_count: 0, differences: [] }],
  ['catalogue diff', () => ['catalogue', 'diff'], { changes: [] }],
  ['catalogue apply', () => ['catalogue', 'apply'], { applied: [], withheld: [] }],
  ['config check', () => ['config', 'check'], { ok: true, file: null }],
  ['config print', () => ['config', 'print'], { server: { host: '127.0.0.1' } }],
  ['doctor', () => ['doctor'], { findings: expect.any(Array) }],
];

test.each(commands)('each command prints text for people, and JSON for programs: %s', async (_name, args, holds) => {
  const [text, json] = await Promise.all([program.cli(...args()), program.cli(...args(), '--json')]);
  expect(expectSuccess(text)).not.toMatch(/^[[{]/);
  const value: unknown = JSON.parse(expectSuccess(json));
  expect(value).toMatchObject(holds);
  expectAmounts(value);
});

test('each command prints text for people, and JSON for programs: config schema', async () => {
  expect(JSON.parse(expectSuccess(await program.cli('config', 'schema')))).toMatchObject({ type: 'object' });
});

test('each command prints text for people, and JSON for programs: key revoke', async () => {
  const keys = await Promise.all([0, 1].map(() => program.json<{ id: string }>('key', 'create', tenant.projectId)));
  expectSuccess(await program.cli('key', 'revoke', keys[0]?.id ?? ''));
  const revoked = await program.json('key', 'revoke', keys[1]?.id ?? '');
  expect(revoked).toMatchObject({ revoked_at: expect.any(String) });
});

const budget = ['--budget', '2.5', '--period', 'week', '--models', 'sandbox/*'];

let names = 0;
function aName(): string {
  names += 1;
  return `thing ${names}`;
}

test.each([
  ['workspace show nobody', 'NOT_FOUND'],
  ['receipt 00000000-0000-7000-8000-000000000000', 'NOT_FOUND'],
  ['key revoke nobody', 'NOT_FOUND'],
  ['workspace list --data elsewhere', 'faregate start'],
  ['workspace list --url http://127.0.0.1:1', 'no instance answers'],
])('a command that fails says why in one line and exits with 1: %s', async (line, says) => {
  const { code, stdout, stderr } = await program.cli(...line.split(' '));
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^faregate: [^\n]+\n$/);
  expect(stderr).toContain(says);
});

test.each([
  ['workspace list --json', 0],
  ['workspace show nobody', 1],
])('the process of a command prints what the command does, and ends with its code: %s', async (line, code) => {
  const args = line.split(' ');
  const result = await inProcess(args, program.data);
  expect(result).toEqual(await program.cli(...args));
  expect(result.code).toBe(code);
});

test('an export of the audit log has each change once, and texts that no spreadsheet evaluates', async () => {
  const { id } = await program.admin.createWorkspace({ name: aName() });
  const { id: projectId } = await program.admin.createProject(id, { name: '=1+1' });
  const change = { action: 'project.update' as const, target: { kind: 'project', id: projectId, name: '=1+1' } };
  const database = await program.openDatabase();
  for (let limit = 1; limit <= 230; limit += 1) {
    await recordAudit(database, scopeOf(id), { ...change, after: { requests_per_minute: limit } });
  }
  const csv = parseCsv(expectSuccess(await program.cli('audit', 'export', id)));
  expect(csv.filter(({ action }) => action === 'project.update')).toHaveLength(230);
  expect(new Set(csv.map(({ id: event }) => event)).size).toBe(csv.length);
  expect(csv.find(({ action }) => action === 'project.create')).toMatchObject({ target_name: "'=1+1" });
  expect(expectSuccess(await program.cli('audit', 'list', id, '--limit', '3'))).toMatch(
    /^AT +BY +ACTION +TARGET +FROM +ID\n(?:.* test +project\.update .*\n){3}$/,
  );
  const updates = await program.cli('audit', 'export', id, '--action', 'project.update', '--json');
  const last = JSON.parse(expectSuccess(updates).split('\n')[0] ?? '') as Record<string, string>;
  expect(last).toMatchObject({ actor_kind: 'job', actor: 'test', target_id: projectId, request_id: null });
  expect(JSON.parse(last['after'] ?? '')).toEqual({ requests_per_minute: 230 });
});

describe('an instance moves by backup and restore', () => {
  let file: string;
  let root: string;
  beforeAll(async () => {
    file = join(scratch, 'faregate.backup');
    root = await mkdtemp(join(tmpdir(), 'faregate-restored-'));
    await chmod(root, 0o711);
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  const restore = (from: string, data: string): Promise<CliResult> => inProcess(['restore', from], data);

  test('an instance moves by backup and restore with everything that callers and operators know', async () => {
    expectSuccess(await program.cli('backup', file));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const before = await program.admin.showWorkspace(tenant.workspaceId);
    // What is spent after the backup is none of it.
    const later = (await spend(program)).headers.get('x-request-id') ?? '';

    expectSuccess(await restore(file, join(root, 'data')));
    const moved = await startProgram({ data: root });
    running.defer(() => moved.dispose());
    expect(moved.key).toBe('');
    const [there, here] = [moved.admin, program.admin];
    expect(await there.showWorkspace(tenant.workspaceId)).toEqual(before);
    expect(await there.showReceipt(requestId)).toEqual(await here.showReceipt(requestId));
    await expect(there.showReceipt(later)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await spend(moved);
    expect(await there.verifyLedger()).toMatchObject({ ok: true });
  });

  test('a backup that is encrypted for a recipient is opened by its identity alone, and its ledger can be proved', async () => {
    const [identity, other, secret] = ['identity', 'other', 'secret.backup'].map((name) => join(scratch, name));
    if (identity === undefined || other === undefined || secret === undefined) throw new Error('three files are named');
    const recipient = expectSuccess(await program.cli('backup', 'new-identity', identity)).trim();
    expect((await stat(identity)).mode & 0o777).toBe(0o600);
    expectSuccess(await program.cli('backup', 'new-identity', other));
    expect(await program.cli('backup', 'new-identity', other)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('EEXIST'),
    });
    expect(await program.cli('backup', secret, '--recipient', 'age1nobody')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('"age1nobody…" is not a recipient'),
    });
    expectSuccess(await program.cli('backup', secret, '--recipient', recipient));
    expect((await readFile(secret)).subarray(0, 22).toString()).toBe('age-encryption.org/v1\n');

    const verify = (...args: readonly string[]) => program.cli('backup', 'verify', secret, ...args);
    expect(await verify()).toMatchObject({ code: 1, stderr: expect.stringContaining('encrypted; name the file') });
    expect(await verify('--identity', other)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no identity'),
    });
    const report: unknown = JSON.parse(expectSuccess(await verify('--identity', identity, '--json')));
    expect(report).toMatchObject({ ok: true, receipts: expect.any(Number), difference_count: 0 });
    const bytes = await readFile(secret);
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 100) ^ 1, bytes.length - 100);
    await writeFile(secret, bytes);
    expect(await verify('--identity', identity)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^faregate: [^\n]*(not a backup|damaged)[^\n]*\n$/),
    });
  });

  test('a backup that a program from before the first release took is refused, and nothing is made for it', async () => {
    const old = join(scratch, 'old.backup');
    const schema = [{ name: '0001_initial', sha256: '0' }];
    const header = { format: 'faregate-backup', version: 1, takenAt: '2026-01-01T00:00:00.000Z', schema };
    await writeFile(old, gzipSync(`${JSON.stringify(['header', header])}\n`));
    const untouched = join(scratch, 'never');
    expect(await restore(old, untouched)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^faregate: the backup is from before the first release, [^\n]+\n$/),
    });
    await expect(stat(untouched)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('a backup is restored neither into a directory that has an instance nor from half a file', async () => {
    expect(await restore(file, program.data)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^faregate: .*in use by another running instance[^\n]*\n$/),
    });
    await truncate(file, Math.floor((await stat(file)).size / 2));
    const data = join(scratch, 'half');
    expect(await restore(file, data)).toMatchObject({ code: 1, stderr: expect.stringMatching(/^faregate: [^\n]+\n$/) });
    await writeFile(join(scratch, 'noise'), 'this is no backup');
    const untouched = join(scratch, 'untouched');
    expect(await restore(join(scratch, 'noise'), untouched)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^faregate: [^\n]*not a backup of Faregate\n$/),
    });
    await expect(stat(untouched)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
