import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { hiddenOptions } from '../../../test/support/commands.ts';
import { type FakeInstance, startFakeInstance } from '../../../test/support/fake-instance.ts';
import { runCli } from './cli.ts';

// What each command asks for, with each of its options. The instance refuses it, so that nothing is printed.

let instance: FakeInstance;
beforeAll(async () => {
  instance = await startFakeInstance();
});
afterEach(() => instance.answers.clear());
afterAll(() => instance.close());

/** A request with its parameters and fields in the order of their names, which says nothing. */
function ordered(request: string): string {
  const [, start = '', query = '', body = ''] = /^([^?{]*[^?{ ])(?:\?(\S*))?(?: (\{.*))?$/.exec(request) ?? [];
  const parameters = query.split('&').toSorted().join('&');
  const fields = body === '' ? [] : Object.entries(JSON.parse(body) as object);
  return [start, parameters, ...fields.map((field) => JSON.stringify(field)).toSorted()].join(' ');
}

/** The requests of a command line, as "PATCH /users/u {"disabled":true}". Words are separated by spaces; `~` is a space in one. */
async function asked(line: string): Promise<readonly string[]> {
  instance.asked.splice(0);
  const argv = line.split(' ').map((word) => word.replaceAll('~', ' '));
  const surroundings = {
    env: { FAREGATE_URL: instance.url, FAREGATE_OPERATOR_TOKEN: 't' },
    cwd: '/nowhere',
    out: () => undefined,
    err: () => undefined,
    drained: () => Promise.resolve(),
    stopped: () => AbortSignal.abort(),
    ask: () => Promise.resolve(null),
    askSecret: () => Promise.resolve(null),
  };
  const none = () => Promise.reject(new Error('nothing is started here'));
  const parts = {
    start: none,
    probe: none,
    listModels: none,
    restore: none,
    verifyBackup: none,
    planUpgrade: none,
    migrate: none,
  };
  await runCli(argv, parts, surroundings);
  return instance.asked.map(({ method, path, body }) =>
    [method, path.replace('/admin/v1', ''), ...(body === null ? [] : [JSON.stringify(body)])].join(' '),
  );
}

const FROM = '2026-03-01T00:00:00.000Z';
const TO = '2026-03-02T00:00:00.000Z';
const TIME = 'from=2026-03-01T00%3A00%3A00.000Z&to=2026-03-02T00%3A00%3A00.000Z';

test.each([
  ['alert list', 'GET /alerts?limit=200'],
  ['alert list w/1 --open --rule r', 'GET /workspaces/w%2F1/alerts?open=true&rule=r&limit=200'],
  ['alert-rule list w/1', 'GET /workspaces/w%2F1/alert-rules?limit=200'],
  ['alert-rule delete w/1 r/1', 'DELETE /workspaces/w%2F1/alert-rules/r%2F1'],
  [
    'alert-rule create w --name Low --kind balance_below --below 5 --mail-role owner --mail-to a@b.example --disable --once o',
    'POST /workspaces/w/alert-rules {"name":"Low","kind":"balance_below","threshold_usd":"5","mail_roles":["owner"],"mail_to":["a@b.example"],"enabled":false,"once":"o"}',
  ],
  [
    'alert-rule create w --name Share --kind key_limit --percent 80 --subject k',
    'POST /workspaces/w/alert-rules {"name":"Share","kind":"key_limit","subject_id":"k","percent":80}',
  ],
  [
    'alert-rule update r --workspace w --name N --days 9 --enable --mail-role none --mail-to none',
    'PATCH /workspaces/w/alert-rules/r {"name":"N","days":9,"mail_roles":[],"mail_to":[],"enabled":true}',
  ],
  ['alert-rule update r --percent 1', 'PATCH /alert-rules/r {"percent":1}'],
  [
    'audit list w --action key.create --target t --user u --since 2026-03-01 --until 2026-03-02 -n 7',
    `GET /workspaces/w/audit?limit=7&action=key.create&target=t&user=u&${TIME}`,
  ],
  ['audit list w', 'GET /workspaces/w/audit?limit=50'],
  ['audit show w e/1', 'GET /workspaces/w/audit/e%2F1'],
  [
    'audit export w --action a --target t --user u --since 2026-03-01 --until 2026-03-02',
    `GET /workspaces/w/audit/export?action=a&target=t&user=u&${TIME}`,
  ],
  ['audit export w --json', 'GET /workspaces/w/audit/export?format=ndjson'],
  ['auto-top-up show w', 'GET /workspaces/w/payment-settings'],
  [
    'auto-top-up update w --enable --below 1 --amount 2 --month-max 3 --consent',
    'PATCH /workspaces/w/payment-settings {"enabled":true,"threshold_usd":"1","amount_usd":"2","month_max_usd":"3","consent":true}',
  ],
  ['auto-top-up update w --disable', 'PATCH /workspaces/w/payment-settings {"enabled":false}'],
  ['catalogue list', 'GET /catalogue/models?history=false'],
  ['catalogue list --history', 'GET /catalogue/models?history=true'],
  ['catalogue apply', 'POST /catalogue/apply {"accept":[]}'],
  [
    'code create --count 3 --amount 25 --expires 2099-12-31 --reason talk --sold --once o',
    'POST /code-batches {"count":3,"amount_usd":"25","expires_at":"2099-12-31","reason":"talk","sold":true,"once":"o"}',
  ],
  ['code batches', 'GET /code-batches?limit=200'],
  ['code redeem w FG-1', 'POST /workspaces/w/redemptions {"code":"FG-1"}'],
  ['code cancel b/1', 'POST /code-batches/b%2F1/cancel'],
  ['code list --batch b', 'GET /codes?batch=b&limit=200'],
  ['credit statement w --month 2026-03', 'GET /workspaces/w/statement?month=2026-03&limit=200'],
  ['credit statement w --month 2026-03 --csv', 'GET /workspaces/w/statement/export?month=2026-03'],
  ['delivery list w --webhook h --state given_up', 'GET /workspaces/w/deliveries?webhook=h&state=given_up&limit=200'],
  ['delivery list', 'GET /deliveries?limit=200'],
  ['delivery show d --workspace w', 'GET /workspaces/w/deliveries/d'],
  ['delivery resend d --workspace w', 'POST /workspaces/w/deliveries/d/resend'],
  ['delivery resend d', 'POST /deliveries/d/resend'],
  ['invitation list w', 'GET /workspaces/w/invitations?limit=200'],
  ['invitation revoke w i/1', 'DELETE /workspaces/w/invitations/i%2F1'],
  ['key show k', 'GET /workspaces/w-1/keys/k'],
  [
    'key list --workspace w --search n --state revoked --sort spend',
    'GET /workspaces/w/keys?search=n&state=revoked&sort=spend&limit=200',
  ],
  ['key list p --state active', 'GET /workspaces/w-1/projects/p/keys?state=active&limit=200'],
  [
    'key update k --expires none --spend-limit none --models none --metadata none',
    'PATCH /workspaces/w-1/keys/k {"spend_limit_usd":null,"models":null,"expires_at":null,"metadata":{}}',
  ],
  ['key update k --metadata a=1 b=2', 'PATCH /workspaces/w-1/keys/k {"metadata":{"a":"1","b":"2"}}'],
  ['key disable k', 'PATCH /workspaces/w-1/keys/k {"disabled":true}'],
  ['key enable k', 'PATCH /workspaces/w-1/keys/k {"disabled":false}'],
  ['key rotate k --overlap 0', 'POST /workspaces/w-1/keys/k/rotate {"overlap_hours":0}'],
  ['key rotate k', 'POST /workspaces/w-1/keys/k/rotate {}'],
  ['key end-former k', 'POST /workspaces/w-1/keys/k/end-former-secret'],
  ['ledger rebuild-usage', 'POST /ledger/rebuild-usage'],
  ['ledger seal 2026-03-02', `POST /ledger/seal {"before":"${TO}"}`],
  ['ledger seal 2026-03-02 --drop --yes', `POST /ledger/seal {"before":"${TO}","drop":true}`],
  [
    'ledger export receipts w --from 2026-03-01 --to 2026-03-02',
    `GET /workspaces/w/export/receipts?format=csv&${TIME}`,
  ],
  ['ledger export entries w --json', 'GET /workspaces/w/export/entries?format=ndjson'],
  [
    'ledger export usage w --by key --bucket hour',
    'GET /workspaces/w/usage/export?format=csv&group_by=key&bucket=hour',
  ],
  ['ledger proofs', 'GET /ledger/proofs'],
  ['ledger seals', 'GET /ledger/seals?limit=200'],
  ['ledger corrections', 'GET /ledger/corrections?limit=200'],
  ['member list w', 'GET /workspaces/w/members?limit=200'],
  [
    'member invite-all w a@b.example c@d.example --role member --monthly-limit 20 --key-project p --once o',
    'POST /workspaces/w/invitations/batch {"emails":["a@b.example","c@d.example"],"role":"member","monthly_limit_usd":"20","key_project":"p","once":"o"}',
  ],
  [
    'member invite w a@b.example --role viewer --once o',
    'POST /workspaces/w/invitations {"email":"a@b.example","role":"viewer","once":"o"}',
  ],
  ['model list w', 'GET /workspaces/w/models'],
  ['model show a/m --workspace w', 'GET /workspaces/w/models/a%2Fm'],
  ['project list w --archived', 'GET /workspaces/w/projects?archived=true&limit=200'],
  ['project list w', 'GET /workspaces/w/projects?limit=200'],
  ['project show p', 'GET /workspaces/w-1/projects/p'],
  ['project archive p', 'POST /workspaces/w-1/projects/p/archive'],
  ['project restore w p/1', 'POST /workspaces/w/projects/p%2F1/restore'],
  [
    'project update p --name N --tpm 1 --concurrency 2 --period month --member-key-limit 3 --member-keys 4 --report-cost false',
    'PATCH /workspaces/w-1/projects/p {"name":"N","tokens_per_minute":1,"concurrency":2,"budget_period":"month","member_key_spend_limit_usd":"3","member_keys_max":4,"report_cost":false}',
  ],
  ['offer show', 'GET /offer'],
  ['offer print', 'GET /offer'],
  ['model remove a/m --yes', 'DELETE /offer/models/a%2Fm'],
  ['provider list', 'GET /providers'],
  ['provider probe p', 'POST /offer/providers/p/probe'],
  ['provider remove p --yes', 'DELETE /offer/providers/p'],
  ['cell list', 'GET /cells'],
  ['workspace show-move w', 'GET /workspaces/w/move'],
  ['workspace cancel-move w', 'POST /workspaces/w/move/cancel'],
  ['cell find acme', 'GET /cells/search?search=acme'],
  ['cell find --request r', 'GET /cells/search?request_id=r'],
  ['cell remove 01 --yes', 'DELETE /cells/01'],
  [
    'requests w --key k --project p --model m --outcome failed --dialect messages --session s --end-user u --since 2026-03-01 --until 2026-03-02 --min-charge 1 --limit 7',
    `GET /workspaces/w/receipts?key=k&project=p&model=m&outcome=failed&dialect=messages&session=s&end_user=u&${TIME}&min_charge_usd=1&limit=7`,
  ],
  ['requests w', 'GET /workspaces/w/receipts?limit=20'],
  ['requests w --status 2xx', 'GET /workspaces/w/receipts?outcome=completed&limit=20'],
  [
    'requests w --refused --key k --project p --model m --since 2026-03-01 --until 2026-03-02',
    `GET /workspaces/w/refusals?model=m&${TIME}&key=k&project=p&limit=20`,
  ],
  ['requests w --status 402', 'GET /workspaces/w/refusals?status=402&limit=20'],
  ['requests w --code RATE_LIMITED', 'GET /workspaces/w/refusals?code=RATE_LIMITED&limit=20'],
  ['requests --all --refused --status 4xx', 'GET /refusals?status=4xx&limit=20'],
  ['requests --all --refused --count --model m', 'GET /refusals/counts?model=m'],
  ['secrets rotate', 'POST /secrets/rotate {"give_up_lost":false}'],
  ['secrets rotate --give-up-lost', 'POST /secrets/rotate {"give_up_lost":true}'],
  ['settings', 'GET /settings'],
  ['processes', 'GET /processes'],
  ['status', 'GET /status'],
  ['token list', 'GET /operator-tokens?limit=200'],
  ['token rotate', 'POST /operator-tokens/rotate'],
  ['token create --name n --once o', 'POST /operator-tokens {"name":"n","read_only":false,"once":"o"}'],
  ['token create --name n --read-only', 'POST /operator-tokens {"name":"n","read_only":true}'],
  ['token create --name n --backup', 'POST /operator-tokens {"name":"n","read_only":true,"backup":true}'],
  ['top-up list', 'GET /payments?limit=200'],
  ['top-up list w --state paid --provider codes', 'GET /workspaces/w/top-ups?state=paid&provider=codes&limit=200'],
  ['top-up show w t/1', 'GET /workspaces/w/top-ups/t%2F1'],
  [
    'top-up create w 25 --save-method --once o',
    'POST /workspaces/w/top-ups {"amount_usd":"25","save_method":true,"once":"o"}',
  ],
  ['top-up refund w t/1 5 --once o --yes', 'POST /workspaces/w/top-ups/t%2F1/refunds {"amount_usd":"5","once":"o"}'],
  ['top-up refund w t --yes', 'POST /workspaces/w/top-ups/t/refunds {}'],
  [
    'usage w --by key --since 2026-03-01 --until 2026-03-02 --project p --key k --model m --compare',
    `GET /workspaces/w/usage?${TIME}&project=p&key=k&model=m&group_by=key&limit=200&compare=true`,
  ],
  [
    'usage --by workspace --since 2026-03-01',
    `GET /usage?from=${encodeURIComponent(FROM)}&group_by=workspace&limit=200`,
  ],
  ['usage w --by day --since 2026-03-01', `GET /workspaces/w/usage?from=${encodeURIComponent(FROM)}&bucket=day`],
  [
    'usage w --bucket hour --since 2026-03-01',
    `GET /workspaces/w/usage?from=${encodeURIComponent(FROM)}&group_by=model&bucket=hour`,
  ],
  ['user list --search n', 'GET /users?search=n&limit=200'],
  ['user set-up-link', 'POST /set-up-links'],
  [
    'webhook create https://h.example --workspace w --description d --once o',
    'POST /workspaces/w/webhooks {"url":"https://h.example","description":"d","once":"o"}',
  ],
  ['webhook create https://h.example', 'POST /webhooks {"url":"https://h.example"}'],
  ['webhook list w', 'GET /workspaces/w/webhooks?limit=200'],
  ['webhook test h --workspace w', 'POST /workspaces/w/webhooks/h/test'],
  [
    'webhook update h --workspace w --to https://i.example --description d --disable',
    'PATCH /workspaces/w/webhooks/h {"url":"https://i.example","description":"d","enabled":false}',
  ],
  ['webhook update h --enable', 'PATCH /webhooks/h {"enabled":true}'],
  ['webhook rotate h --workspace w --overlap 0', 'POST /workspaces/w/webhooks/h/rotate {"overlap_hours":0}'],
  ['webhook delete h --workspace w', 'DELETE /workspaces/w/webhooks/h'],
  ['workspace create N --once o', 'POST /workspaces {"name":"N","once":"o"}'],
  ['workspace rename w/1 N', 'PATCH /workspaces/w%2F1 {"name":"N"}'],
  ['workspace update w --member-monthly-limit 20', 'PATCH /workspaces/w {"member_monthly_limit_usd":"20"}'],
  [
    'workspace update w --billing-name Acme --billing-address none',
    'PATCH /workspaces/w {"billing_name":"Acme","billing_address":null}',
  ],
  ['workspace update w --member-monthly-limit none', 'PATCH /workspaces/w {"member_monthly_limit_usd":null}'],
  ['workspace suspend w --reason r', 'POST /workspaces/w/suspend {"reason":"r"}'],
  ['workspace resume w', 'POST /workspaces/w/resume'],
  ['workspace close w --yes', 'POST /workspaces/w/close'],
  ['workspace overview w', 'GET /workspaces/w/overview'],
])('"faregate %s" asks for exactly this: %s', async (line, request) => {
  expect((await asked(line)).map(ordered)).toEqual([ordered(request)]);
});

test.each([
  'alert-rule create w --name Low --kind mood --below 5',
  'alert-rule create w --name Low --kind runway --days 366',
  'alert-rule update r --enable --disable',
  'auto-top-up update w --enable --disable',
  'auto-top-up update w',
  'key update k',
  'key rotate k --overlap 721',
  'webhook rotate h --overlap 169',
  'project update p',
  'requests w --refused --outcome failed',
  'requests w --follow --refused',
  'requests w --status 402 --min-charge 1',
  'requests --all',
  'requests --all --refused --key k',
  'requests w --count',
  'requests w --limit 0',
  'usage w --by day --bucket hour',
  'usage w --by mood',
  'workspace price w --discount 5 --markup 5',
  'ledger seal 2026-03-02 --drop',
  'top-up refund w t',
  'workspace close w',
  'credit refund w 5 --reason r',
])('"faregate %s" is refused before anything is asked for', async (line) => {
  expect(await asked(line)).toEqual([]);
});

test('no option of a command has the name of one that every command has, which would take its value', () => {
  expect(hiddenOptions()).toEqual([]);
});
