import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Program, startProgram } from '../support/program.ts';
import { type SignedInPerson, signedIn } from '../support/signed-in-person.ts';
import { visit } from '../support/visit.ts';
import { startWebhookReceiver, status } from '../support/webhook-receiver.ts';

// The page of alerts: rules, what crosses them, and the webhooks that hear of it.

let site: Program;

beforeAll(async () => {
  site = await startProgram({
    config: 'alerts: { check_every: 1s }\nwebhooks: { allowed_networks: [127.0.0.0/8] }\n',
  });
});
afterAll(() => site.dispose());

const alertsOf = ({ workspaceId }: SignedInPerson): string => `/workspaces/${workspaceId}/alerts`;

const aRule = ({ workspaceId }: SignedInPerson) =>
  site.admin.createAlertRule(workspaceId, { name: 'Low', kind: 'balance_below', threshold_usd: '1' });

async function createRule(page: Page, fill: (sheet: ReturnType<Page['getByRole']>) => Promise<void>): Promise<void> {
  await page.getByRole('button', { name: 'Create rule' }).click();
  const sheet = page.getByRole('dialog', { name: 'Create rule' });
  await fill(sheet);
  await sheet.getByRole('button', { name: 'Create rule' }).click();
  await sheet.waitFor({ state: 'detached' });
}

test(
  'a crossing appears on the open page with the action that helps, which a role without the right sees disabled',
  {
    timeout: 120_000,
  },
  async () => {
    const owner = await signedIn(site);
    const admin = await signedIn(site, { workspaceId: owner.workspaceId, role: 'admin' });
    await site.admin.postCredit(owner.workspaceId, { kind: 'grant', amount_usd: '10', reason: 'a test' });
    const { page } = await visit(site, alertsOf(owner), { as: owner });
    await page.getByText('Nothing is beyond a threshold.').waitFor();
    await createRule(page, (sheet) => sheet.getByLabel('Alert when the balance is below').fill('20'));
    const open = page.getByRole('list', { name: 'Open alerts' }).getByRole('listitem');
    await open.getByText(/is 10\.00 USD, below 20\.00 USD\./).waitFor();
    await page.getByRole('tab', { name: 'Alerts 1' }).waitFor();
    expect(await page.getByRole('status').allTextContents()).toContainEqual(expect.stringContaining('below 20.00 USD'));
    const { page: home } = await visit(site, `/workspaces/${owner.workspaceId}`, { as: owner });
    expect(await home.getByRole('link', { name: 'Alerts', exact: true }).getAttribute('href')).toBe(alertsOf(owner));
    await open.getByRole('link', { name: 'Add credit' }).click();
    await page.waitForURL(`**/workspaces/${owner.workspaceId}/credit?add=true`);

    const { page: theirs } = await visit(site, alertsOf(admin), { as: admin });
    const button = theirs.getByRole('button', { name: 'Add credit' });
    await button.focus();
    expect(await theirs.getByRole('tooltip').textContent()).toBe('Only owners and billing members can add credit.');

    await theirs.getByRole('tab', { name: 'Rules' }).click();
    await theirs.getByRole('button', { name: 'Disable The balance is below $20.00' }).click();
    await theirs.getByRole('dialog').getByRole('button', { name: 'Disable rule' }).click();
    await theirs.getByRole('tab', { name: 'Alerts', exact: true }).click();
    await theirs.getByRole('table', { name: 'History' }).getByText('below 20.00 USD').waitFor();
  },
);

test('a rule about one project is chosen by its name, says what it does in words, and is changed and deleted', async () => {
  const owner = await signedIn(site);
  const { workspaceId } = owner;
  await site.admin.createProject(workspaceId, { name: 'web', budget_usd: '20', budget_period: 'month' });
  const { page } = await visit(site, `${alertsOf(owner)}?tab=rules`, { as: owner });
  await createRule(page, async (sheet) => {
    await sheet.getByLabel('What it watches').selectOption({ label: 'Budgets of projects' });
    await sheet.getByLabel('Project').selectOption({ label: 'web' });
    await sheet.getByLabel('Alert when so much is used').fill('50');
    await sheet.getByLabel('admins').uncheck();
    await sheet.getByLabel('Mail to these addresses too').fill('ops@example.com');
    await sheet.getByText('When the project web has used 50 % of its budget, it is listed').waitFor();
    await sheet.getByText('It stops nothing').waitFor();
    await sheet.getByText(`faregate alert-rule create ${workspaceId}`).waitFor();
  });
  const name = 'The project web has used 50 % of its budget';
  const row = page.getByRole('row', { name });
  await row.getByText('owners, billing members, and ops@example.com').waitFor();
  await row.getByRole('link').click();
  const sheet = page.getByRole('dialog', { name: `Change ${name}` });
  await sheet.getByLabel('Alert when so much is used').fill('60');
  await sheet.getByLabel('Name').fill('Web is busy');
  await sheet.getByText(/alert-rule update .* --percent 60 .* --name 'Web is busy'$/).waitFor();
  await sheet.getByRole('button', { name: 'Change rule' }).click();
  const changed = page.getByRole('row', { name: /Web is busy.*used 60 % of its budget/ });
  await changed.getByRole('link').click();
  await page.getByRole('dialog', { name: 'Change Web is busy' }).getByRole('button', { name: 'Delete rule' }).click();
  const question = page.getByRole('dialog', { name: 'Delete Web is busy?' });
  await question.getByRole('button', { name: 'Delete rule' }).click();
  await changed.waitFor({ state: 'detached' });
  const { data } = await site.admin.listAlertRules(workspaceId);
  expect(data.map(({ name: left }) => left)).not.toContain('Web is busy');
});

test.each([
  ['Limits of end users', 'end_user_limit', 'An end user'],
  ['Limits of sessions', 'session_limit', 'A session'],
])('a rule about %s is about each project, or about one that is chosen by its name', async (label, kind, who) => {
  const owner = await signedIn(site);
  const { workspaceId } = owner;
  const web = await site.admin.createProject(workspaceId, { name: 'web' });
  const { page } = await visit(site, `${alertsOf(owner)}?tab=rules`, { as: owner });
  await createRule(page, async (sheet) => {
    await sheet.getByLabel('What it watches').selectOption({ label });
    await sheet.getByText('Projects without this limit have nothing to alert about.').waitFor();
    expect(await sheet.getByLabel('Project').inputValue()).toBe('');
    await sheet.getByLabel('Project').selectOption({ label: 'web' });
    await sheet.getByLabel('Alert when so much is used').fill('90');
    await sheet.getByText(`--subject ${web.id}`).waitFor();
  });
  await page.getByRole('row', { name: `${who} of the project web has used 90 % of the limit` }).waitFor();
  const { data } = await site.admin.listAlertRules(workspaceId);
  expect(data.filter(({ subject_id: id }) => id === web.id).map((rule) => rule.kind)).toEqual([kind]);
});

test('a rule that somebody else has changed is not overwritten before their version is seen', async () => {
  const owner = await signedIn(site);
  const rule = await aRule(owner);
  const expectedFaults = [/status of 412/];
  const { page } = await visit(site, `${alertsOf(owner)}?tab=rules&change=${rule.id}`, { as: owner, expectedFaults });
  const sheet = page.getByRole('dialog');
  await sheet.getByLabel('Name').fill('Mine');
  await site.admin.updateAlertRule(owner.workspaceId, rule.id, { threshold_usd: '3' });
  await sheet.getByRole('button', { name: 'Change rule' }).click();
  await sheet.getByRole('button', { name: 'Load their version' }).click();
  await expect.poll(() => sheet.getByLabel('Alert when the balance is below').inputValue()).toBe('3.00');
  await sheet.getByRole('button', { name: 'Change rule' }).click();
  await page.getByRole('row', { name: /Mine.*below \$3\.00/ }).waitFor();
});

/** Everything that a page has where a secret could be left. */
async function leftBehind(page: Page, context: BrowserContext): Promise<string> {
  const stored = await page.evaluate<string>(
    'JSON.stringify([location.href, history.state, { ...localStorage }, { ...sessionStorage }, document.documentElement.outerHTML])',
  );
  return stored + JSON.stringify(await context.storageState());
}

test(
  'the secret of a webhook is shown once and left nowhere, and a delivery that fails says why and what to do',
  { timeout: 90_000 },
  async () => {
    const owner = await signedIn(site);
    const receiver = await startWebhookReceiver();
    receiver.answer = status(503);
    const { page, context } = await visit(site, `${alertsOf(owner)}?tab=webhooks`, { as: owner });
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    await page.getByRole('button', { name: 'Add webhook' }).first().click();
    const sheet = page.getByRole('dialog', { name: 'Add webhook' });
    await sheet.getByLabel('URL').fill(receiver.url);
    await sheet.getByLabel('Description').fill('on-call');
    await sheet.getByRole('button', { name: 'Add webhook' }).click();
    const secrets = [await savedSecret(page)];
    await page.getByRole('heading', { name: 'on-call', level: 1 }).waitFor();

    await page.getByRole('button', { name: 'Send test' }).click();
    const row = page.getByRole('row', { name: /trying again 1 It answered 503\./ });
    await row.getByRole('link').click();
    const delivery = page.getByRole('dialog', { name: 'Webhook delivery' });
    await delivery.getByText('The receiver failed. See its log at the time of the attempt.').waitFor();
    await delivery.getByText('Next try').waitFor();
    await page.keyboard.press('Escape');

    receiver.answer = status(204);
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByRole('row', { name: /sent 1 It answered 204\./ }).waitFor();

    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
    secrets.push(await savedSecret(page));
    await page.getByText('two secrets, for another').waitFor();
    const left = (await leftBehind(page, context)) + requested.join(' ');
    for (const secret of secrets) {
      expect(secret).toMatch(/^fg_whsec_/);
      expect(left).not.toContain(secret);
    }
    expect(new Set(secrets).size).toBe(2);

    await page.getByRole('button', { name: 'Disable webhook' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable webhook' }).click();
    const sending = page.getByRole('button', { name: 'Send test' }).and(page.locator('[aria-disabled="true"]'));
    await sending.focus();
    expect(await page.getByRole('tooltip').textContent()).toBe('It is disabled: nothing is sent to it.');
    await page.getByRole('row', { name: /given up 1 The endpoint was disabled\./ }).waitFor();
    await page.getByRole('button', { name: 'Delete webhook' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete webhook' }).click();
    await page.getByText('No webhook is set up.').waitFor();
  },
);

async function savedSecret(page: Page): Promise<string> {
  const shown = page.getByRole('dialog', { name: /^The (webhook endpoint is added|endpoint has another secret)$/ });
  const secret = await shown.getByRole('region', { name: 'signing secret' }).textContent();
  await shown.getByRole('button', { name: 'I have saved it' }).click();
  await shown.waitFor({ state: 'detached' });
  return secret ?? '';
}

test('an address that webhooks may not go to is refused at its field', async () => {
  const owner = await signedIn(site);
  const expectedFaults = [/status of 400/];
  const { page } = await visit(site, `${alertsOf(owner)}?tab=webhooks&create=webhook`, { as: owner, expectedFaults });
  const sheet = page.getByRole('dialog', { name: 'Add webhook' });
  await sheet.getByLabel('URL').fill('https://10.0.0.1/hook');
  await sheet.getByRole('button', { name: 'Add webhook' }).click();
  await sheet.getByRole('alert').getByText('This URL').waitFor();
  expect(await sheet.getByLabel('URL').getAttribute('aria-invalid')).toBe('true');
});

test('an operator sees the rules of the instance, changes who is mailed, and creates none', async () => {
  const operator = await signedIn(site, { isOperator: true });
  const { page } = await visit(site, '/operator/alerts?tab=rules', { as: operator });
  await page.getByRole('row', { name: /Provider refuses its API key.*operators/ }).waitFor();
  expect(await page.getByRole('button', { name: 'Create rule' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Ledger does not add up' }).click();
  const sheet = page.getByRole('dialog', { name: 'Change Ledger does not add up' });
  await sheet.getByText('When the ledger does not add up').waitFor();
  await sheet.getByLabel('Mail to all operators').uncheck();
  await sheet.getByText(/alert-rule update \S+ --mail-role none$/).waitFor();
});

test('the page of alerts is used by the keyboard alone', async () => {
  const owner = await signedIn(site);
  await aRule(owner);
  const { page } = await visit(site, alertsOf(owner), { as: owner });
  await page.getByRole('tab', { name: 'Alerts' }).focus();
  await page.keyboard.press('ArrowRight');
  const first = page.getByRole('table', { name: 'Rules' }).getByRole('link').first();
  await first.waitFor();
  expect(new URL(page.url()).search).toBe('?tab=rules');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const sheet = page.getByRole('dialog', { name: /^Change / });
  await sheet.waitFor();
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
  await first.and(page.locator(':focus')).waitFor();
  expect(new URL(page.url()).search).toBe('?tab=rules');
});
