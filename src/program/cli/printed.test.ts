import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { commandNames, wordsOf } from '../../../test/support/commands.ts';
import type { DescribedOperation } from '../../../test/support/described-api.ts';
import { answerByExample, operationsOfDocument } from '../../../test/support/described-operations.ts';
import { ANSWERED_MS, type Fullness } from '../../../test/support/example-answers.ts';
import { runCommand } from '../../../test/support/run-command.ts';

// What each command prints of an answer that has everything, of one that has nothing optional, and of figures of 0 and 1: compared with printed.txt,
// which `npm test -- printed -u` writes again. A change of it is looked at like one of the code.

/** The address of the first user that is listed. */
const USER = "'email 19187'";

const LINES = [
  'status',
  'processes',
  'settings',
  'doctor',
  'secrets rotate',
  'catalogue list --history',
  'catalogue diff',
  'catalogue apply',
  'model list w',
  'model show a/m --workspace w',
  'offer show',
  'offer print',
  'provider list',
  'provider probe p',
  'provider remove p --yes',
  'model remove a/m --yes',
  'cell list',
  'cell find acme',
  'cell remove 01 --yes',
  'workspace create N',
  'workspace list',
  'workspace show w',
  'workspace rename w N',
  'workspace update w --member-monthly-limit 20',
  'workspace suspend w --reason r',
  'workspace resume w',
  'workspace close w --yes',
  'workspace show-move w',
  'workspace cancel-move w',
  'workspace overview w',
  'workspace price w',
  'access show w',
  'access update w --second-factor true',
  'domain list w',
  'domain add w d.example',
  'domain prove w d.example',
  'domain approve w d.example --yes',
  'domain remove w d.example --yes',
  'directory show w',
  'directory connect w --yes',
  'directory disconnect w --yes',
  'workspace price w --discount 5',
  'project create w N',
  'project update p --name N',
  'project list w',
  'project show p',
  'project archive p',
  'project restore w p',
  'end-user update p ada --limit 5',
  'end-user list p',
  'end-user show p ada',
  'end-user unlimit p ada',
  'key create p --name N',
  'key list p',
  'key list --workspace w',
  'key show k',
  'key update k --name N',
  'key disable k',
  'key enable k',
  'key rotate k',
  'key end-former k',
  'key revoke k',
  'credit top-up w 5 --reason r --once o',
  'credit grant w 5 --reason r --once o',
  'credit refund w 5 --reason r --once o --yes',
  'credit dispute w 5 --reason r --once o',
  'credit adjust w 5 --reason r --once o',
  'credit expiring w',
  'credit recurring create w 5 --period month --reason r --once o',
  'credit recurring list w',
  'credit recurring end w g --yes',
  'credit history w',
  'credit statement w --month 2026-03',
  'top-up list',
  'top-up list w',
  'top-up show w t',
  'top-up create w 25',
  'top-up refund w t 5 --yes',
  'auto-top-up show w',
  'auto-top-up update w --disable',
  'code create --count 3 --amount 25 --expires 2099-12-31 --reason talk',
  'code batches',
  'code list --batch b',
  'code cancel b',
  'code redeem w FG-1',
  'requests w',
  'requests w --refused',
  'requests --all --refused',
  'requests --all --refused --count',
  'receipt r',
  'receipt correct r --charge 0 --reason outage --once t',
  'usage w --by key --since 2026-03-01 --until 2026-03-02 --compare',
  'usage w --by day --since 2026-03-01',
  'usage --by workspace --since 2026-03-01',
  'ledger verify',
  'ledger proofs',
  'ledger seals',
  'ledger corrections',
  'ledger seal 2026-03-02',
  'ledger rebuild-usage',
  'user list',
  `user disable ${USER}`,
  `user enable ${USER}`,
  `user make-operator ${USER}`,
  `user unmake-operator ${USER}`,
  'user erase u --yes',
  `user sign-out ${USER}`,
  `user reset-link ${USER}`,
  'user set-up-link',
  'member list w',
  'member invite w a@b.example --role viewer',
  'member invite-all w a@b.example c@d.example --role member --monthly-limit 20 --key-project p',
  'member show w m',
  'member role w m viewer',
  'member update w m --monthly-limit 20',
  'member reset-link w m',
  'member remove w m --yes',
  'invitation list w',
  'invitation revoke w i',
  'token create --name n',
  'token list',
  'token revoke t',
  'token rotate',
  'audit list w',
  'audit show w e',
  'alert list w',
  'alert-rule list w',
  'alert-rule create w --name Low --kind balance_below --below 5',
  'alert-rule update r --workspace w --name N',
  'alert-rule delete w r',
  'webhook create https://h.example --workspace w',
  'sink list w',
  'sink update w archive --records none --sample 10',
  'webhook list w',
  'webhook update h --workspace w --enable',
  'webhook rotate h --workspace w',
  'webhook delete h --workspace w',
  'delivery list w',
  'delivery show d --workspace w',
  'delivery resend d --workspace w',
];

/** They start something, read or write files, or go on for ever: cli.test.ts looks at them. */
const OTHERS = [
  'webhook test',
  'init',
  'start',
  'restart',
  'config check',
  'config print',
  'config schema',
  'backup',
  'backup verify',
  'backup new-identity',
  'restore',
  'migrate',
  'catalogue import',
  'offer store',
  'cell add',
  'cell drain',
  'workspace move',
  'workspace export',
  'key find',
  'diff',
  'apply',
  'ledger export',
  'audit export',
];

let operations: readonly DescribedOperation[];
let fullness: Fullness;
let url: string;

const server = createServer((request, response) => {
  const { method = '', url: path = '' } = request;
  request.resume();
  const { answer } = answerByExample(operations, { method, url: new URL(path, url) }, { fullness });
  response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
});

beforeAll(async () => {
  operations = await operationsOfDocument();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: ANSWERED_MS });
  vi.stubEnv('TZ', 'UTC');
});
afterAll(() => {
  vi.useRealTimers();
  server.closeAllConnections();
  server.close();
});

async function printedBy(line: string): Promise<string> {
  const env = { FAREGATE_URL: url, FAREGATE_OPERATOR_TOKEN: 't' };
  const { code, stdout, stderr } = await runCommand(wordsOf(line), { env, cwd: '/nowhere' });
  return [code === 0 ? '' : `ends with ${code}\n`, stdout, stderr].join('').replaceAll(url, 'URL');
}

test('what every command prints of an answer is as it was', async () => {
  const parts: string[] = [];
  for (const line of LINES) {
    fullness = 'full';
    const printed = await printedBy(line);
    parts.push(`faregate ${line}`, '', printed);
    fullness = 'bare';
    parts.push('With nothing optional:', '', await printedBy(line));
    fullness = 'zero';
    const ofNothing = await printedBy(line);
    if (ofNothing !== printed) parts.push('With figures of 0 and 1:', '', ofNothing);
  }
  await expect(parts.join('\n')).toMatchFileSnapshot('printed.txt');
});

test('every command is looked at, here or as one that starts something', () => {
  const isIn = (name: string): boolean => [...LINES, ...OTHERS].some((line) => `${line} `.startsWith(`${name} `));
  expect(commandNames().filter((name) => !isIn(name))).toEqual([]);
});
