import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { leastUuid7At } from '../../src/lib/uuid7.ts';
import { type Program, startProgram } from '../support/program.ts';
import { signedIn, type SignedInPerson } from '../support/signed-in-person.ts';
import { visit } from '../support/visit.ts';

// Why a request was refused ten days ago: found by its id from any page, in any workspace, after a restart.

const DAYS_AGO = 10;
const DAY_MS = 86_400_000;
const UNKNOWN = '00000000-0000-7000-8000-000000000000';
const NOT_THERE = [/status of 404/];

let program: Program;
let operator: SignedInPerson;
let owner: SignedInPerson;
/** Of the owner's workspace. */
let refused: string;
let served: string;
let workspaceName: string;

/** Sends a request and returns its id once it can be found. */
async function send(key: string): Promise<string> {
  const messages = [{ role: 'user', content: 'Write a haiku about trains.' }];
  const answer = await program.chat(key, { model: 'sandbox/echo', messages, max_tokens: 200 });
  await answer.text();
  const id = answer.headers.get('x-request-id') ?? '';
  await vi.waitUntil(() => program.admin.lookUp({ request_id: id }).catch(() => null), { timeout: 30_000 });
  return id;
}

/** Makes a refusal as old as if the request had been sent so long ago. */
async function age(id: string): Promise<string> {
  const database = await program.openDatabase();
  const aged = leastUuid7At(Date.now() - DAYS_AGO * DAY_MS).slice(0, 14) + id.slice(14);
  await database.query(
    `update refusals set request_id = $2, refused_at = refused_at - $3 * interval '1 day' where request_id = $1`,
    [id, aged, DAYS_AGO],
  );
  return aged;
}

beforeAll(async () => {
  program = await startProgram();
  owner = await signedIn(program);
  const { admin } = program;
  workspaceName = (await admin.showWorkspace(owner.workspaceId)).name;
  await admin.postCredit(owner.workspaceId, { amount_usd: '5', kind: 'grant', reason: 'test', once: 'grant' });
  const { id: poor } = await admin.createProject(owner.workspaceId, { name: 'Night shift', budget_usd: '0.000002' });
  const { id: rich } = await admin.createProject(owner.workspaceId, { name: 'web' });
  refused = await age(await send((await admin.createKey(poor, { name: 'nightly' })).key));
  served = await send((await admin.createKey(rich, { name: 'laptop' })).key);
  operator = await signedIn(program, { isOperator: true });
  await program.signal('SIGTERM');
  program = await program.restart();
});
afterAll(() => program.dispose());

const ofOperator = (path: string) => ({ who: 'an operator', path, person: () => operator });
const ofOwner = (path: string) => ({ who: 'an owner', path, person: () => owner });

test.each([
  ofOperator('/operator/ledger'),
  ofOperator('/operator/instance'),
  ofOperator('/account'),
  ofOperator('/workspaces/$own/keys'),
  ofOwner('/workspaces/$workspace'),
  ofOwner('/workspaces/$workspace/credit'),
])(
  'the id of a request that was refused ten days ago leads $who on $path to why it was, and to what mends it',
  async (from) => {
    const path = from.path.replace('$workspace', owner.workspaceId).replace('$own', operator.workspaceId);
    const { page } = await visit(program, path, { as: from.person() });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /request id/ }).fill(`x-request-id: ${refused}`);
    const kind = from.who === 'an operator' ? `Refused in ${workspaceName}` : 'Refused';
    await page.getByRole('option', { name: `Request ${refused} ${kind}` }).waitFor();
    await page.keyboard.press('Enter');

    await page.waitForURL((url) => url.pathname === `/workspaces/${owner.workspaceId}/requests/${refused}`);
    const open = page.getByRole('region', { name: 'Open request' });
    await open.getByText("The project's budget did not cover the request.").waitFor();
    const level = open
      .getByRole('list', { name: 'Levels' })
      .getByRole('listitem')
      .filter({ hasText: 'Budget of Night shift' });
    await level.getByText(/short$/).waitFor();
    await level.getByRole('meter', { name: 'Budget of Night shift' }).waitFor();
    await open.getByRole('link', { name: "Raise the project's budget" }).click();
    await page.waitForURL((url) => url.pathname.includes('/projects/') && url.searchParams.has('budget'));
    await page.getByRole('dialog').waitFor();
    expect(Number(new URL(page.url()).searchParams.get('budget'))).toBeGreaterThan(0.000002);
  },
);

test('an operator’s search by id on a page of requests leads to the request in another workspace', async () => {
  const { page } = await visit(program, `/workspaces/${operator.workspaceId}/requests`, {
    as: operator,
    expectedFaults: NOT_THERE,
  });
  await page.getByRole('searchbox', { name: 'Find a request by its id' }).fill(served);
  await page.waitForURL((url) => url.pathname === `/workspaces/${owner.workspaceId}/requests/${served}`);
  await page
    .getByRole('region', { name: 'Open request' })
    .getByText(/^Completed in/)
    .waitFor();
  await page.goto('/operator/refusals');
  await page.getByRole('searchbox', { name: 'Find a request by its id' }).fill(refused);
  const pathname = `/workspaces/${owner.workspaceId}/requests/${refused}`;
  await expect.poll(() => new URL(page.url()).pathname, { timeout: 30_000 }).toBe(pathname);
});

test('an id that no workspace has is not said to be found, neither by the palette nor by a page', async () => {
  const { page } = await visit(program, '/operator/ledger', { as: operator, expectedFaults: NOT_THERE });
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /request id/ }).fill(UNKNOWN);
  await page.getByRole('status').filter({ hasText: 'Nothing is called that.' }).waitFor();
  expect(await page.getByRole('option').count()).toBe(0);
  await page.goto(`/operator/refusals?request=${UNKNOWN}`);
  await page.getByText(`No workspace has a request ${UNKNOWN}.`).waitFor();
});

test('a member is not told of a request of another workspace, by the palette either', async () => {
  const { page } = await visit(program, `/workspaces/${owner.workspaceId}`, {
    as: owner,
    expectedFaults: NOT_THERE,
  });
  const other = await program.createTenant({ credit: '5' });
  const foreign = await send(other.key);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /request id/ }).fill(foreign);
  await page.getByRole('status').filter({ hasText: 'Nothing is called that.' }).waitFor();
  expect(await page.getByRole('option').count()).toBe(0);
});

test('the commands find the refusal of any workspace, with the level that did not cover it', async () => {
  const { stdout } = await program.cli('receipt', refused);
  expect(stdout).toContain('PROJECT_BUDGET_EXCEEDED');
  expect(stdout).toContain('Night shift');
});
