import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addCell, SANDBOX, startCell, tokenFile } from '../support/cells.ts';
import { commandNames, Commands } from '../support/commands.ts';
import { type DescribedOperation, describedOperations } from '../support/described-api.ts';
import { FakeStripe, SECRET_KEY, WEBHOOK_SECRET } from '../support/fake-stripe.ts';
import { type Program, startProgram } from '../support/program.ts';
import { operationsSentBy } from '../support/sent-operations.ts';
import { signedIn } from '../support/signed-in-person.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

// All commands run against one started program, and what they send is compared with the document of the admin API. So an
// operation that no command reaches fails the test, until it has a command or a reason here.

/** Operations that no command sends here, with the reason. */
const NOT_SENT: Readonly<Record<string, string>> = {
  beginArrival: 'The program of the other cell sends it, as the next five.',
  receiveRows: 'The same.',
  landRows: 'The same.',
  landArrival: 'The same.',
  openArrival: 'The same.',
  dropArrival: 'The same.',
  listenToWorkspace: 'The event stream of pages. "requests --follow" asks for receipts, which goes on after a restart.',
  playgroundChat: 'Pages send requests as a member, without a key; programs have a key and the public API.',
  playgroundQuote: 'The same.',
  showReceipt: '"receipt" asks for the request, which is either a receipt or a refusal.',
  showRefusal: 'The same.',
  showCell: 'Cells ask each other for it: "cell list" asks for that of each.',
  showRestart: 'An instance of one process refuses the restart that "restart" waits for.',
};

/** Commands that need no running instance; the tests of the commands run them. */
const LOCAL = [
  'start',
  'init',
  'migrate',
  'backup verify',
  'backup new-identity',
  'restore',
  'config check',
  'config print',
  'config schema',
  'catalogue import',
];

test('each operation of the admin API that a token may call is reached by a command, and each command works', async () => {
  const stripe = await FakeStripe.start();
  const receiver = await startWebhookReceiver();
  const other = await startCell('01', SANDBOX);
  const program = await startProgram({
    beside: [{ stop: () => stripe.stop() }, { stop: () => other.dispose() }],
    config: `${SANDBOX}
payments: { stripe: { secret_key: ${SECRET_KEY}, webhook_secret: ${WEBHOOK_SECRET}, base_url: "${stripe.origin}" } }
webhooks: { allowed_networks: [127.0.0.0/8] }
`,
  });
  try {
    const document = (await (await fetch(`${program.url}/admin/openapi.json`)).json()) as object;
    const described = describedOperations(document);
    const commands = new Commands(program);
    const sent = await operationsSentBy(described, async () => {
      await runAccounts(commands, program);
      await runMoney(commands, program, stripe);
      await runRequests(commands, program);
      await runPeople(commands, program);
      await runAlerts(commands, receiver.url);
      await runInstance(commands);
      await runCells(commands, program, other);
    });
    const reached = new Set(sent.map(({ operationId }) => operationId));
    const forTokens = described.filter(mayTokensCall).map(({ operationId }) => operationId);
    expect(forTokens.filter((id) => !reached.has(id) && !(id in NOT_SENT))).toEqual([]);
    expect(Object.keys(NOT_SENT).filter((id) => reached.has(id) || !forTokens.includes(id))).toEqual([]);
    const wasRun = (name: string): boolean => commands.lines.some((line) => `${line} `.startsWith(`${name} `));
    expect(commandNames().filter((name) => !wasRun(name) && !LOCAL.includes(name))).toEqual([]);
  } finally {
    await program.dispose();
  }
});

async function runCells(run: Commands, program: Program, other: Program): Promise<void> {
  const file = await tokenFile(program, other.operatorToken);
  expect(await run.text(`cell add 01 ${other.url} --token-file ${file}`)).toBe(`Knows the cell 01 at ${other.url}.\n`);
  expect(await run.text('cell list')).toContain(other.url);
  expect(await run.text('cell find acme')).toBe('Nothing was found in other cells.\n');
  expect(await run.text('ledger verify --all-cells')).toContain('Cell 01');
  expect(await run.text('cell remove 01 --yes')).toContain('Forgot the cell 01');
  await run.text(`cell add 01 ${other.url} --token-file ${file}`);
  // The own token was replaced.
  const operatorToken = (await readFile(join(program.data, 'operator-token'), 'utf8')).trim();
  await addCell(other, '00', { url: program.url, operatorToken });
  await run.text('workspace create mover');
  expect(await run.text('workspace move mover --to 01')).toMatch(/It lives there, after a pause of \d+\.\d s\./);
  expect(await run.text('workspace show-move mover')).toMatch(/It lives there, after a pause of \d+\.\d s\./);
  expect(await run.refusal('workspace cancel-move mover')).toBe('WORKSPACE_MOVED');
  expect(await run.refusal('cell drain --to 02 --yes')).toBe('FAILED');
}

/** The others are for people alone: what a page does before a sign-in, and what a session does for its own account. */
function mayTokensCall({ 'x-access': access }: DescribedOperation): boolean {
  return access === 'workspace' || access === 'operator';
}

async function runAccounts(run: Commands, program: Program): Promise<void> {
  const workspace = await run.json('workspace create acme --once first');
  expect(await run.json('workspace create acme --once first')).toMatchObject({ id: workspace.id });
  expect(await run.refusal('workspace create acme')).toBe('CONFLICT');
  expect(await run.text('workspace list')).toContain(workspace.id);
  expect(await run.text('workspace rename acme acme-eu')).toContain('acme-eu');
  await run.text(`workspace rename ${workspace.id} acme`);
  expect(await run.text('workspace update acme --member-monthly-limit 20')).toContain('20.00 USD');
  const project = await run.json('project create acme bot --rpm 600 --budget 50 --period month --once bot');
  expect(await run.text('project show acme/bot')).toMatch(
    /requests a minute +600\n.*\n.*\nbudget +50\.00 USD a month\n/,
  );
  expect(await run.json(`project update ${project.id} --rpm none --models none`)).toMatchObject({
    requests_per_minute: null,
    budget_usd: '50.00',
  });
  expect(await run.text('end-user update acme/bot ada --limit 5')).toContain('5.00 USD');
  expect(await run.text('end-user show acme/bot ada')).toContain('5.00 USD');
  expect(await run.text('end-user list acme/bot')).toContain('ada');
  expect(await run.text('end-user unlimit acme/bot ada')).toBe('ada: no limit, as each end user of the project.\n');
  await run.text('project archive acme/bot');
  expect(await run.text('project list acme --archived')).toContain(project.id);
  await run.text(`project restore acme ${project.id}`);
  expect(await run.text('project list acme')).toContain('bot');
  expect(await run.text('workspace show acme')).toContain('bot');
  const file = join(program.data, 'acme.yaml');
  await writeFile(file, await run.text('workspace export acme'));
  expect(await run.text(`diff ${file}`)).toContain('as the files say');
  expect(await run.text(`apply ${file}`)).toContain('as the files say');

  const key = await run.json<{ id: string; key: string; masked_key: string }>(
    'key create acme/bot --name ci --spend-limit 5 --metadata team=search env=ci --once ci',
  );
  expect(
    await run.text('key create acme/bot --name ci --spend-limit 5 --metadata team=search env=ci --once ci'),
  ).toContain('It was created before');
  for (const form of [key.id, key.key, key.masked_key, key.masked_key.slice(-4), 'ci']) {
    const { data } = await run.json<{ data: unknown[] }>(`key find ${form} --workspace acme`);
    expect({ form, data }).toMatchObject({ form, data: [{ id: key.id }] });
  }
  expect(await run.text('key find ci --workspace acme')).toMatch(/acme +bot +ci +fg_live_/);
  expect(await run.refusal(`key find fg_live_${'a'.repeat(53)}`)).toBe('NOT_FOUND');
  expect(await run.text(`key show ${key.masked_key}`)).toContain('env=ci, team=search');
  expect(await run.json(`key update ${key.id} --expires 2099-01-01`)).toMatchObject({ spend_limit_usd: '5.00' });
  expect(await run.json(`key update ${key.id} --expires none`)).toMatchObject({ expires_at: null });
  expect(await run.text(`key disable ${key.id}`)).toContain('Disabled');
  expect(await run.text('key list acme/bot --state disabled')).toContain(key.id);
  expect(await run.text(`key enable ${key.id}`)).toContain('Enabled');
  expect(await run.text('key list --workspace acme --sort spend --search ci')).toContain(key.id);
  await run.text(`key rotate ${key.id} --overlap 1`);
  expect(await run.text(`key end-former ${key.id}`)).toContain('Ended');
  await run.text(`key revoke ${key.id}`);
  expect(await run.text('audit list acme --limit 5')).toContain('key.revoke');
  const [event] = /[0-9a-f-]{36}$/m.exec(await run.text('audit list acme --action project.update --limit 1')) ?? [];
  expect(await run.text(`audit show acme ${event}`)).toContain('project.update');
  expect(await run.text('audit export acme')).toContain('project.restore');
  expect(await run.text('access show acme')).toContain('left to members');
  const provider = '--issuer https://login.acme.example --client-id c --client-secret s --group-roles a=admin b=viewer';
  expect(await run.text(`access update acme ${provider} --networks 127.0.0.0/8,::1/128`)).toContain(
    'a=admin, b=viewer',
  );
  expect(await run.text('sink list acme')).toContain('declares no sinks');
  expect(await run.refusal('sink update acme archive --records content')).toBe('NOT_FOUND');
  expect(await run.text('domain add acme acme.example')).toContain('_faregate.acme.example');
  expect(await run.refusal('domain prove acme acme.example')).toBe('CONFLICT');
  expect(await run.text('domain approve acme acme.example --yes')).toContain('is proven');
  expect(await run.text('domain list acme')).toContain('by the operator');
  await run.text('domain remove acme acme.example --yes');
  expect(await run.text('directory connect acme --yes')).toContain('fg_scim_');
  const { secret } = await run.json<{ secret: string }>('directory connect acme --yes');
  const asDirectory = { headers: { authorization: `Bearer ${secret}` } };
  expect(await (await fetch(`${program.url}/scim/v2/Users`, asDirectory)).json()).toMatchObject({ totalResults: 0 });
  expect(await run.text('directory show acme')).toContain('of whom 0 are active');
  expect(await run.text('directory disconnect acme --yes')).toContain('no directory is connected');
  await run.text('access update acme --issuer none --networks none --group-roles none');
  expect(await run.text('workspace overview acme')).toContain('refused in the last 24 hours');
  expect(await run.text('workspace suspend acme --reason unpaid')).toContain('Suspended');
  expect(await run.text('workspace resume acme')).toContain('Resumed');
}

async function runMoney(run: Commands, program: Program, stripe: FakeStripe): Promise<void> {
  for (const kind of ['top-up', 'grant', 'refund --yes', 'dispute', 'adjust']) {
    expect(await run.text(`credit ${kind} acme 10 --reason 'a test' --once ${kind.slice(0, 5)}`)).toContain(
      '10.00 USD',
    );
  }
  expect(await run.text('credit statement acme')).toMatch(/closing balance +10\.00 USD/);
  expect((await run.text('credit statement acme --csv')).split('\n').length).toBeGreaterThan(5);
  await run.text('credit grant acme 2 --reason gift --expires 2099-01-31');
  expect(await run.text('credit expiring acme')).toMatch(/2099-01-31\S+ +2\.00/);
  const monthly = await run.json<{ id: string }>('credit recurring create acme 3 --period month --reason plan');
  expect(await run.text('credit recurring list acme')).toMatch(/3\.00 +month +expires with its period/);
  expect(await run.text(`credit recurring end acme ${monthly.id} --yes`)).toContain('gives nothing more');
  expect(await run.text('credit history acme')).toMatch(/adjustment +10\.00/);
  const topUp = await run.json<{ id: string; checkout_url: string }>('top-up create acme 25 --save-method');
  expect(await run.text(`top-up show acme ${topUp.id}`)).toContain(topUp.checkout_url);
  const session = stripe.all('checkout.session').find(({ client_reference_id: id }) => id === topUp.id);
  const { body, signature } = stripe.signed(stripe.pay(String(session?.['id'])));
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
  expect((await fetch(`${program.url}/webhooks/stripe`, { method: 'POST', headers, body })).status).toBe(200);
  expect(await run.text('top-up list acme --state paid')).toMatch(/paid +25\.00/);
  expect(await run.text(`top-up refund acme ${topUp.id} 5 --yes`)).toContain(topUp.id);
  expect(await run.text('top-up list --provider stripe')).toContain(topUp.id);
  const automatic = '--below 5 --amount 10 --month-max 100';
  expect(await run.text(`auto-top-up update acme --enable --consent ${automatic}`)).toMatch(/automatic top-ups +on/);
  expect(await run.json('auto-top-up update acme --disable')).toMatchObject({ auto_top_up: { enabled: false } });
  expect(await run.text('auto-top-up show acme')).toMatch(/below +5\.00 USD/);
  const batch = await run.json<{ id: string; codes: string[] }>(
    'code create --count 2 --amount 3 --expires 2099-01-01 --once fair',
  );
  expect(await run.text('code create --count 2 --amount 3 --expires 2099-01-01 --once fair')).toContain(batch.id);
  expect(await run.text(`code redeem acme ${batch.codes[0]}`)).toMatch(/credit +3\.00 USD/);
  expect(await run.text('code batches')).toMatch(/ 2 +1 +3\.00/);
  expect(await run.text(`code list --batch ${batch.id}`)).toContain('acme');
  expect(await run.text(`code cancel ${batch.id}`)).toContain('1 of 2 codes are void');
}

async function runRequests(run: Commands, program: Program): Promise<void> {
  const { key } = await run.json<{ key: string }>('key create acme/bot --name caller');
  const { data: models } = await run.json<{ data: { id: string }[] }>('model list acme');
  const model = models[0]?.id ?? '';
  expect(await run.text(`model show ${model} --workspace acme`)).toContain(model);
  expect(await run.text('catalogue list --history')).toContain(model);
  expect(await run.text('provider list')).toMatch(new RegExp(`${model} +built-in`));
  const offered = join(program.data, 'offer.yaml');
  await writeFile(
    offered,
    `
providers: { stored: { kind: openai, base_url: "http://127.0.0.1:1/v1" } }
models:
  - { id: rare, routes: [{ provider: stored, model: m }], price: { input: "1" }, kind: embedding, context_window: 9 }
`,
  );
  expect(await run.text(`offer store ${offered}`)).toContain('Stored stored, rare');
  expect(await run.text('offer print')).toContain('base_url: http://127.0.0.1:1/v1');
  expect(await run.text('provider probe stored')).toContain('It lists no models: it cannot be reached');
  expect(await run.refusal('provider remove stored --yes')).toBe('CONFLICT');
  expect(await run.text('model remove rare --yes')).toContain('Removed the model rare');
  expect(await run.text('provider remove stored --yes')).toContain('Removed the provider stored');
  expect(await run.text('offer show')).toMatch(/provider +built-in +file/);
  await run.text('catalogue diff');
  await run.text('catalogue apply');
  expect(await run.text('workspace price acme --discount 10%')).toContain('-10 %');
  expect(await run.text('workspace price acme')).toContain('-10 %');

  const ask = (asked: string): Promise<Response> =>
    program.chat(key, { model: asked, max_tokens: 5, messages: [{ role: 'user', content: 'hello' }] });
  const served = await ask(model);
  expect(served.status).toBe(200);
  const requestId = served.headers.get('x-request-id') ?? '';
  const refused = await ask('no-such-model');
  expect(refused.status).toBe(404);
  const refusedId = refused.headers.get('x-request-id') ?? '';
  await expect.poll(() => run.text('requests acme'), { timeout: 20_000 }).toContain(requestId);
  await expect.poll(() => run.text('requests acme --status 4xx'), { timeout: 20_000 }).toContain(refusedId);
  expect(await run.text('requests acme --status 2xx')).toContain(requestId);
  expect(await run.text('requests acme --status 404')).toContain(refusedId);
  expect(await run.text('requests acme --status 402')).not.toContain(refusedId);
  expect(await run.json('requests acme --status 5xx')).toEqual({
    data: [],
    unrecorded: 0,
    failed: [],
    next_cursor: null,
  });
  expect(await run.text('requests --refused --all --code MODEL_NOT_FOUND --status 4xx')).toContain(refusedId);
  expect(await run.text('requests --refused --all --count')).toMatch(/MODEL_NOT_FOUND +1/);
  expect(await run.text(`receipt ${refusedId}`)).toContain('MODEL_NOT_FOUND');
  expect(await run.text('receipt --last')).toContain(requestId);
  expect(await run.text(`receipt ${requestId}`)).toContain(model);
  expect(await run.text(`receipt correct ${requestId} --charge 0 --reason 'a test'`)).toContain('is charged 0.00 USD');
  await expect.poll(() => run.text('usage acme --by key'), { timeout: 20_000 }).toContain('caller');
  expect(await run.text('usage --by workspace')).toContain('acme');
  expect(await run.text('usage acme --by key --bucket hour --compare')).toMatch(
    /HOUR \(UTC\) +KEY .*\n\d{4}-\d\d-\d\d \d\d:00 +caller [^]*\ntotal .*\nbefore +- +0 /,
  );
  for (const what of ['receipts', 'entries', 'usage']) {
    expect((await run.text(`ledger export ${what} acme`)).split('\n').length).toBeGreaterThan(2);
  }
  await run.text('ledger export usage acme --by model --bucket day');
  expect(await run.text('ledger verify')).toContain('adds up');
  expect(await run.text('ledger proofs')).toMatch(/ request +0$/m);
  await run.text('ledger seal 2020-01-01');
  expect(await run.text('ledger seals')).toContain('No receipts are sealed');
  expect(await run.text('ledger corrections')).toContain(requestId);
  await run.text('ledger rebuild-usage');
}

async function runPeople(run: Commands, program: Program): Promise<void> {
  await run.text('user set-up-link');
  const { id: workspaceId } = await run.json('workspace show acme');
  await signedIn(program, { workspaceId });
  const person = await signedIn(program, { workspaceId, role: 'viewer' });
  expect(await run.text('user list')).toContain(person.email);
  expect(await run.text(`user reset-link ${person.email}`)).toContain('http');
  expect(await run.text(`user sign-out ${person.email}`)).toContain('Ended 1 sessions');
  for (const change of ['make-operator', 'unmake-operator', 'disable', 'enable']) {
    expect(await run.text(`user ${change} ${person.email}`)).toContain(person.email);
  }
  expect(await run.text('member list acme')).toContain(person.email);
  expect(await run.text(`member show acme ${person.email}`)).toMatch(/role +viewer/);
  expect(await run.text(`member role acme ${person.email} --role developer`)).toContain('developer');
  expect(await run.text(`member update acme ${person.email} --monthly-limit 30`)).toContain(
    '30.00 USD a month, 0.00 USD',
  );
  expect(await run.text(`member reset-link acme ${person.email}`)).toContain('http');
  await run.text(`member remove acme ${person.email} --yes`);
  expect(await run.text(`user erase ${person.email} --yes`)).toContain('@erased.invalid stands in the place');
  expect(await run.refusal(`user erase ${person.userId} --yes`)).toBe('CONFLICT');
  const invitation = await run.json('member invite acme grace@example.com --role viewer');
  expect(await run.text('invitation list acme')).toContain('grace@example.com');
  const several = 'member invite-all acme hedy@example.com alan@example.com --role member --monthly-limit 20';
  expect(await run.text(several)).toMatch(/hedy@example\.com +http.*\nalan@example\.com +http/);
  await run.text(`invitation revoke acme ${invitation.id}`);
  await run.text('token create --name terraform --read-only');
  expect(await run.text('token list')).toContain('terraform');
  await run.text('token revoke terraform');
}

async function runAlerts(run: Commands, url: string): Promise<void> {
  expect(await run.refusal('alert-rule create acme --name low --kind balance_below --days 3')).toBe('INVALID_REQUEST');
  const created = 'alert-rule create acme --name low --kind balance_below --below 20 --mail-role owner billing';
  const rule = await run.json(`${created} --mail-to ada@example.com`);
  expect(await run.text('alert-rule list acme')).toMatch(
    /balance_below +20\.00 USD +yes +owner, billing, ada@example\.com/,
  );
  expect(
    await run.json(
      `alert-rule update ${rule.id} --workspace acme --disable --mail-role none --mail-to ops@example.com`,
    ),
  ).toMatchObject({ enabled: false, mail_roles: [], mail_to: ['ops@example.com'] });
  expect(await run.text(`alert list acme --rule ${rule.id}`)).toContain('no alerts');
  await run.text(`alert-rule delete acme ${rule.id}`);
  await run.text('alert list --open');
  await run.text('alert-rule list');
  expect(await run.refusal(`alert-rule update ${rule.id} --enable`)).toBe('NOT_FOUND');
  for (const [listed, option] of [
    ['acme', '--workspace acme'],
    ['', ''],
  ] as const) {
    const made = await run.json<{ id: string; secret: string }>(
      `webhook create ${url} ${option} --description on-call`,
    );
    expect(await run.text(`webhook list ${listed}`)).toContain('on-call');
    expect(await run.text(`webhook test ${made.id} ${option}`)).toContain('answered 204');
    const { data } = await run.json<{ data: { id: string }[] }>(`delivery list ${listed} --webhook ${made.id}`);
    expect(await run.text(`delivery show ${data[0]?.id} ${option}`)).toMatch(/state +sent/);
    expect(await run.text(`delivery resend ${data[0]?.id} ${option}`)).toContain(url);
    expect(await run.json(`webhook update ${made.id} ${option} --disable`)).toMatchObject({ enabled: false });
    const rotated = await run.json<{ secret: string }>(`webhook rotate ${made.id} ${option} --overlap 1`);
    expect(rotated.secret).not.toBe(made.secret);
    expect(await run.text(`webhook delete ${made.id} ${option}`)).toContain(url);
  }
}

async function runInstance(run: Commands): Promise<void> {
  expect(await run.text('processes')).toMatch(/^faregate \d\S+, process \d+ +serving /m);
  expect(await run.text('status')).toMatch(/ready +yes/);
  expect(await run.text('settings')).toMatch(/^payments\.stripe\.secret_key +set +file +-$/m);
  expect(await run.text('doctor')).toContain('ok');
  expect(await run.text('backup backup-of-all')).toContain('Wrote');
  expect(await run.refusal('restart')).toBe('CONFLICT');
  expect(await run.text('workspace close acme --yes')).toContain('Closed');
  await run.text('secrets rotate');
  await run.text('token rotate');
}
