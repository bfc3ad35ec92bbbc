import { randomUUID } from 'node:crypto';
import type { Sql } from '../src/lib/sql.ts';
import { startMockUpstream } from '../test/support/aimock.ts';
import { FakeStripe, SECRET_KEY, WEBHOOK_SECRET } from '../test/support/fake-stripe.ts';
import { secretIn } from '../test/support/identity.ts';
import { type Program, startProgram } from '../test/support/program.ts';
import { signedIn, type SignedInPerson } from '../test/support/signed-in-person.ts';
import { makeHistory } from './console-history.ts';
import { MODELS, configText } from './console-catalogue.ts';
import type { PageParts, Viewer } from './console-pages.ts';

// Two instances to look at: one that a company has used for weeks, and one that nobody has used yet.

export interface Scene {
  readonly name: 'filled' | 'empty';
  readonly program: Program;
  readonly parts: PageParts;
  readonly people: Readonly<Record<Exclude<Viewer, 'nobody'>, SignedInPerson>>;
}

const NOTHING = '00000000-0000-7000-8000-000000000000';
const DAYS = 40;
const DAY_MS = 86_400_000;

const PROJECTS = ['Support assistant', 'Product search', 'Nightly reports', 'Evaluation'] as const;
/** Name, project and share of the requests. */
const KEYS: readonly (readonly [string, number, number])[] = [
  ['production', 0, 40],
  ['staging', 0, 8],
  ['search-indexer', 1, 22],
  ['web', 1, 12],
  ['reports-batch', 2, 14],
  ['notebook of Grace', 3, 5],
  ['load test', 3, 1],
];
const MEMBERS = [
  ['Grace Hopper', 'admin'],
  ['Alan Turing', 'developer'],
  ['Katherine Johnson', 'developer'],
  ['Luca Pacioli', 'billing'],
  ['Hypatia of Alexandria', 'viewer'],
] as const;
const WORKSPACES = [
  ['Northwind Research', '1250'],
  ['Initech', '12.40'],
  ['The Department of Computational Linguistics and Philology', '98765.43'],
  ['Contoso', null],
] as const;
const ANSWER = 'Steel on morning frost,\na whistle folds the valley —\nthe platform is still.';

async function peopleOf(program: Program, workspaceId: string): Promise<Scene['people']> {
  const owner = await signedIn(program, { workspaceId, name: 'Ada Lovelace', email: 'ada@example.com' });
  const operator = await signedIn(program, {
    workspaceId,
    name: 'Oscar Operator',
    email: 'oscar@example.com',
    isOperator: true,
  });
  return { owner, operator };
}

async function invitationTo({ admin }: Program, workspaceId: string, email: string): Promise<string> {
  const { link } = await admin.createInvitation(workspaceId, { email, role: 'developer' });
  return secretIn(link ?? '');
}

/** An instance on which nothing has happened. */
export async function openEmptyScene(): Promise<Scene> {
  const program = await startProgram({ args: ['--no-bootstrap'] });
  const { id: workspace } = await program.admin.createWorkspace({ name: 'New workspace' });
  const people = await peopleOf(program, workspace);
  const parts = {
    workspace,
    moved: NOTHING,
    project: NOTHING,
    key: NOTHING,
    request: NOTHING,
    refusal: NOTHING,
    event: NOTHING,
    member: people.owner.userId,
    model: 'sandbox/echo',
    invitation: 'cut-off',
    webhook: NOTHING,
  };
  return { name: 'empty', program, parts, people };
}

/** An instance with several workspaces, one of which has everything. */
export async function openFilledScene(): Promise<Scene> {
  const stripe = await FakeStripe.start();
  const upstream = await startMockUpstream({ text: () => ANSWER, chunkDelayMs: 5 });
  const program = await startProgram({
    config: configText({
      upstream: upstream.baseUrl,
      stripe: stripe.origin,
      secretKey: SECRET_KEY,
      webhookSecret: WEBHOOK_SECRET,
    }),
    args: ['--no-bootstrap'],
    beside: [stripe, upstream],
  });
  const { admin } = program;
  const sql = await program.openDatabase();
  const { id: workspace } = await admin.createWorkspace({ name: 'Example Company' });
  await admin.postCredit(workspace, { kind: 'grant', amount_usd: '240', reason: 'Launch credit' });
  const people = await peopleOf(program, workspace);
  const { projects, keys } = await makeProjects(program, people.owner);
  await makeHistory(sql, {
    workspaceId: workspace,
    days: DAYS,
    keys: keys.map(({ id, projectId, share }) => ({ id, projectId, share })),
    models: MODELS,
  });
  await setLimits(program, { projects, keys });
  await admin.adjustPrices(workspace, { model: 'openai/gpt-5', change_percent: '-12.5' });
  for (const [name, role] of MEMBERS) {
    const email = `${name.split(' ')[0]?.toLowerCase()}@example.com`;
    await signedIn(program, { workspaceId: workspace, name, role, email });
  }
  const invitation = await invitationTo(program, workspace, 'barbara@example.com');
  await invitationTo(program, workspace, 'emmy.noether@mathematics.example.com');
  await payTopUps({ program, stripe, workspace, owner: people.owner });
  await makeOthers(program, people.owner, workspace);
  const moved = await makeMoved(program, sql, people.owner);
  const { request, refusal } = await makeRequests(program, workspace, keys);
  await backdate(sql, workspace);
  const { data: events } = await admin.listAuditEvents(workspace, { action: 'key.update' });
  const { data: members } = await admin.listMembers(workspace);
  const webhook = await makeWebhook(program, workspace);
  await makePastAlert(sql, workspace);
  const parts = {
    workspace,
    moved,
    project: projects[0] ?? NOTHING,
    key: keys[0]?.id ?? NOTHING,
    request,
    refusal,
    event: events[0]?.id ?? NOTHING,
    member: members.find(({ role }) => role === 'developer')?.id ?? NOTHING,
    model: 'openai/gpt-5',
    invitation,
    webhook,
  };
  return { name: 'filled', program, parts, people };
}

interface MadeKey {
  readonly id: string;
  readonly projectId: string;
  readonly share: number;
  readonly secret: string;
}

async function makeProjects(
  { admin }: Program,
  { session, workspaceId }: SignedInPerson,
): Promise<{ readonly projects: readonly string[]; readonly keys: readonly MadeKey[] }> {
  const projects: string[] = [];
  for (const name of PROJECTS) projects.push((await admin.createProject(workspaceId, { name })).id);
  const keys: MadeKey[] = [];
  for (const [name, project, share] of KEYS) {
    const projectId = projects[project] ?? NOTHING;
    const path = `/workspaces/${workspaceId}/projects/${projectId}/keys`;
    const { id, key } = (await session.post(path, { name })).body;
    keys.push({ id: String(id), projectId, share, secret: String(key) });
  }
  return { projects, keys };
}

/** Limits that are far away, near and reached; a key that expires soon, one that is disabled and one that is revoked. */
async function setLimits(
  { admin }: Program,
  { projects, keys }: { readonly projects: readonly string[]; readonly keys: readonly MadeKey[] },
): Promise<void> {
  const [support = '', search = '', reports = '', evaluation = ''] = projects;
  await admin.updateProject(support, { budget_usd: '150', requests_per_minute: 600, tokens_per_minute: 2_000_000 });
  await admin.updateProject(search, { budget_usd: '20', models: ['openai/*', 'anthropic/*'] });
  await admin.updateProject(reports, { budget_usd: '0.5', budget_period: 'day' });
  await admin.updateProject(evaluation, { budget_usd: '1', concurrency: 4 });
  const [production, staging, indexer, , , notebook, loadTest] = keys.map(({ id }) => id);
  await admin.updateKey(production ?? '', { spend_limit_usd: '100' });
  await admin.updateKey(staging ?? '', { spend_limit_usd: '12' });
  await admin.updateKey(indexer ?? '', { expires_at: new Date(Date.now() + 3 * DAY_MS).toISOString() });
  await admin.updateKey(notebook ?? '', { disabled: true });
  await admin.revokeKey(loadTest ?? '');
}

/** Credit that was bought, is being bought and could not be bought, and top-ups that go on by themselves. */
async function payTopUps({
  program,
  stripe,
  workspace,
  owner,
}: {
  readonly program: Program;
  readonly stripe: FakeStripe;
  readonly workspace: string;
  readonly owner: SignedInPerson;
}): Promise<void> {
  const start = async (amount: string, more: object = {}): Promise<string> => {
    await owner.session.post(`/workspaces/${workspace}/top-ups`, { amount_usd: amount, ...more });
    return String(stripe.all('checkout.session').at(-1)?.['id']);
  };
  const deliver = async (event: Parameters<FakeStripe['signed']>[0]): Promise<void> => {
    const { body, signature } = stripe.signed(event);
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
    await fetch(`${program.url}/webhooks/stripe`, { method: 'POST', headers, body });
  };
  await deliver(stripe.pay(await start('100', { save_method: true })));
  await deliver(stripe.pay(await start('250')));
  const transfer = await start('1000');
  await deliver(stripe.pay(transfer, { later: true }));
  await deliver(stripe.settle(transfer, 'failed'));
  await deliver(stripe.expire(await start('25')));
  await start('50');
  const { version } = await program.admin.showPaymentSettings(workspace);
  const rule = { enabled: true, threshold_usd: '50', amount_usd: '100', month_max_usd: '500', consent: true };
  await owner.session.patch(`/workspaces/${workspace}/payment-settings`, rule, { 'if-match': `"${version}"` });
  const expires = new Date(Date.now() + 90 * DAY_MS).toISOString();
  const { codes } = await program.admin.createCodeBatch({
    count: 5,
    amount_usd: '5',
    expires_at: expires,
    reason: 'Spring fair',
  });
  await owner.session.post(`/workspaces/${workspace}/redemptions`, { code: codes?.[0] });
}

/** Other workspaces, and tokens of people and of the instance. */
async function makeOthers({ admin }: Program, owner: SignedInPerson, workspace: string): Promise<void> {
  for (const [name, credit] of WORKSPACES) {
    const { id } = await admin.createWorkspace({ name });
    if (credit !== null) await admin.postCredit(id, { kind: 'grant', amount_usd: credit, reason: 'Contract' });
    if (credit === null) await admin.suspendWorkspace(id, { reason: 'Unpaid invoice 2026-0412' });
  }
  await admin.createOperatorToken({ name: 'terraform' });
  await admin.createOperatorToken({ name: 'grafana', read_only: true });
  for (const [name, scopes] of [
    ['deploy pipeline', ['keys:read', 'keys:write', 'projects:read']],
    ['usage export', ['usage:read']],
  ] as const) {
    const expires = new Date(Date.now() + 30 * DAY_MS).toISOString();
    await owner.session.post('/me/access-tokens', { workspace_id: workspace, name, scopes, expires_at: expires });
  }
  await admin.verifyLedger();
}

/** A workspace of the owner that lives in another cell, which does not answer. */
async function makeMoved({ admin }: Program, sql: Sql, owner: SignedInPerson): Promise<string> {
  const { id } = await admin.createWorkspace({ name: 'Example Company Europe' });
  const { link } = await admin.createInvitation(id, { email: owner.email, role: 'admin' });
  await owner.session.post('/me/invitations', { token: secretIn(link ?? '') });
  await sql.query(`insert into cells (shard, url, encrypted_token) values ('01', 'https://europe.example.com', '')`);
  await sql.query(`update workspaces set moved_to = '01' where id = $1`, [id]);
  return id;
}

/** A few requests of this minute: answered, streamed, and refused for several reasons. */
async function makeRequests(
  program: Program,
  workspace: string,
  keys: readonly MadeKey[],
): Promise<{ readonly request: string; readonly refusal: string }> {
  const send = async (key: number, model: string, more: object = {}): Promise<string> => {
    const messages = [{ role: 'user', content: 'Write a haiku about trains.' }];
    const answer = await program.chat(keys[key]?.secret ?? '', { model, messages, max_tokens: 400, ...more });
    await answer.text();
    return answer.headers.get('x-request-id') ?? NOTHING;
  };
  await send(3, 'openai/gpt-6');
  await send(2, 'google/gemini-2.5-flash');
  await send(5, 'openai/gpt-5');
  const refusal = await send(4, 'openai/gpt-5', { max_tokens: 100_000 });
  await send(0, 'meta/llama-3.3-70b');
  const request = await send(0, 'openai/gpt-5', { stream: true });
  for (const id of [request, refusal]) {
    while ((await program.admin.showRequest(workspace, id).catch(() => null)) === null) {
      await new Promise((resolve) => void setTimeout(resolve, 50));
    }
  }
  return { request, refusal };
}

/** A webhook that nothing receives, with a rule that is crossed. */
async function makeWebhook({ admin }: Program, workspace: string): Promise<string> {
  await admin.createAlertRule(workspace, {
    name: 'Credit is low',
    kind: 'balance_below',
    threshold_usd: '5000',
    mail_roles: ['owner', 'billing'],
    mail_to: ['finance@example.com'],
  });
  const { id } = await admin.createWebhook(workspace, {
    url: 'https://hooks.invalid/faregate',
    description: 'on-call',
  });
  await admin.testWebhook(workspace, id);
  return id;
}

/** An alert that is over. The rule for low credit raises one by itself. */
async function makePastAlert(sql: Sql, workspace: string): Promise<void> {
  await sql.query(
    `insert into alerts (workspace_id, id, rule_id, kind, subject_kind, subject_id, subject_name, summary, raised_at, resolved_at)
     select workspace_id, $2, id, kind, 'workspace', workspace_id::text, 'Example Company', 'The balance of "Example Company" is 0.80 USD, below 1.00 USD.',
       now() - interval '9 days', now() - interval '8 days'
     from alert_rules where workspace_id = $1 and kind = 'balance_below' limit 1`,
    [workspace, randomUUID()],
  );
}

/** Lets the workspace and what it has be as old as its first requests. */
async function backdate(sql: Sql, workspace: string): Promise<void> {
  for (const table of ['projects', 'keys', 'members']) {
    await sql.query(`update ${table} set created_at = created_at - interval '41 days' where workspace_id = $1`, [
      workspace,
    ]);
  }
}
