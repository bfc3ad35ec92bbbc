import { expect, test } from 'vitest';
import { FILES, type SourceFile } from './tree.ts';

// One workspace's rows are never read for another: each statement of the control plane that names a table with workspaces'
// rows compares `workspace_id`. The statements that don't are listed here, with what keeps them apart instead.

const ROOMS = 'accounts|admin|alerts|app|audit|catalogue|identity|jobs|ledger|payments|principals|refusals|sinks|usage';

const OF_INSTANCE = 'it reads or keeps up the rows of all workspaces, for a job or a proof';
const BY_SECRET = 'its row is found by the hash of a secret that the caller has';
const BY_USER = "its rows are the caller's own, by user";
const BY_LOCATION = 'it finds out which workspace a thing belongs to, before the right to it is checked';
const BY_OWNER = 'the condition that it is given compares workspace_id, or is for the operator';
const WITHIN = 'it is a part of a statement that compares workspace_id';

const EXCEPTIONS: Readonly<Record<string, string>> = {
  'accounts/references.ts:locateKey': BY_LOCATION,
  'accounts/references.ts:locateProject': BY_LOCATION,
  'accounts/shard.ts:claimShard': OF_INSTANCE,
  'alerts/alert-watch.ts:endWindows': OF_INSTANCE,
  'alerts/alerts.ts:pruneAlerts': OF_INSTANCE,
  'alerts/outbox-problems.ts:findOutboxProblems': OF_INSTANCE,
  'alerts/outbox-store.ts:isAnyDue': OF_INSTANCE,
  'alerts/outbox-store.ts:pruneNotices': OF_INSTANCE,
  'alerts/watch-shares.ts:OWNERS': WITHIN,
  'audit/drop-events.ts:dropStep': 'it deletes events by their ids, which it has read from the links of one chain',
  'audit/redact-events.ts:SCAN': BY_USER,
  'audit/redact-events.ts:redactInChain': BY_USER,
  'catalogue/price-adjustments.ts:isListed': 'it reads list prices, which no workspace owns',
  'catalogue/price-versions.ts:activate': OF_INSTANCE,
  'catalogue/price-versions.ts:readVersions': OF_INSTANCE,
  'catalogue/price-versions.ts:retire': OF_INSTANCE,
  'identity/access-tokens.ts:endAccessTokensOf': BY_USER,
  'identity/access-tokens.ts:listAccessTokens': BY_USER,
  'identity/access-tokens.ts:revokeAccessToken': BY_USER,
  'identity/access-tokens.ts:showMadeToken': BY_USER,
  'identity/accept-invitation.ts:deadInvitation': BY_SECRET,
  'identity/accept-invitation.ts:offerOf': BY_SECRET,
  'identity/ended-invitations.ts:endInvitations':
    'its callers name the workspace, or end those of an inviter in all of them',
  'identity/erase-user.ts:FORGOTTEN': BY_USER,
  'identity/erase-user.ts:FORGOTTEN_ALERTS': BY_USER,
  'identity/erase-user.ts:REPLACED': BY_USER,
  'identity/erase-user.ts:eraseCopies': BY_USER,
  'identity/erase-user.ts:lockMemberships': BY_USER,
  'identity/known-as.ts:ADDRESSES': BY_USER,
  'identity/known-as.ts:DIRECTORY_IDS': BY_USER,
  'identity/members.ts:listMemberships': BY_USER,
  'identity/members.ts:ownedAlone': BY_USER,
  'identity/openid-sign-in.ts:newUser': BY_SECRET,
  'ledger/expiring-grants.ts:postExpiries': OF_INSTANCE,
  'ledger/old-receipts.ts:exportWeek': OF_INSTANCE,
  'ledger/recurring-grants.ts:RecurringGrantPosting': OF_INSTANCE,
  'ledger/recurring-grants.ts:SELECT': WITHIN,
  'ledger/recurring-grants.ts:findOverdueGrants': OF_INSTANCE,
  'ledger/verify-audit.ts:EVENTS': OF_INSTANCE,
  'ledger/verify-audit.ts:LINK_CHECKS': OF_INSTANCE,
  'ledger/verify-checks.ts:POSTED': OF_INSTANCE,
  'ledger/verify-checks.ts:POSTING_SUMS': OF_INSTANCE,
  'ledger/verify-copies.ts:TOTALS': OF_INSTANCE,
  'ledger/verify-costs.ts:COPY_COSTS': OF_INSTANCE,
  'ledger/verify-usage.ts:UNCOUNTED': OF_INSTANCE,
  'payments/codes/code-batches.ts:SELECT_BATCHES': OF_INSTANCE,
  'payments/codes/redeem-code.ts:redeemCode': BY_SECRET,
  'payments/payment-facts.ts:keepUnreadable': 'nobody can say which workspace the event is about',
  'payments/payment-upkeep.ts:expireTopUps': OF_INSTANCE,
  'payments/payment-upkeep.ts:paymentProblems': OF_INSTANCE,
  'payments/payment-upkeep.ts:prunePayments': OF_INSTANCE,
  'payments/reconciliation.ts:differencesOf': OF_INSTANCE,
  'payments/reconciliation.ts:unknownThere': OF_INSTANCE,
  'refusals/refusal-counts.ts:COUNT': BY_OWNER,
  'refusals/refusal-search.ts:COUNT_UNRECORDED': BY_OWNER,
  'refusals/refusal-search.ts:locateRefusal': BY_LOCATION,
  'refusals/refusal-store.ts:pruneRefusals': OF_INSTANCE,
  'sinks/audit-delivery.ts:deliverAuditEvents': OF_INSTANCE,
  'sinks/receipt-delivery.ts:deliverReceipts': OF_INSTANCE,
  'sinks/sink-progress.ts:beginAgain': OF_INSTANCE,
  'sinks/sink-progress.ts:holdSink': OF_INSTANCE,
  'sinks/workspace-sinks.ts:readUsedSinks': OF_INSTANCE,
  'usage/folding.ts:receiptsAfter': OF_INSTANCE,
  'usage/rebuilding.ts:FORGET_LATER_TRANSACTIONS': OF_INSTANCE,
  'usage/rebuilding.ts:RECEIPTS': OF_INSTANCE,
  'usage/rebuilding.ts:begin': OF_INSTANCE,
  'usage/bucket-tables.ts:withMembers': WITHIN,
};

const SCHEMA = FILES.find(({ path }) => path === 'src/program/database/schema.sql')?.text ?? '';

const TABLES = [...SCHEMA.matchAll(/^CREATE TABLE (\w+) \(\n([\s\S]*?)\n\)/gm)].flatMap(([, name = '', columns = '']) =>
  /^ {2}workspace_id /m.test(columns) ? [name] : [],
);

const NAMED = new RegExp(`\\b(?:from|join|update|into)\\s+(?:only\\s+)?(?:${TABLES.join('|')})\\b`);
/** Compared, taken from an operator's right, or given as a column of the row that is written. */
const KEPT_APART =
  /workspace_id\s*(?:=|is not distinct from)|OperatorScope|\binsert into \w+[^;()]*\([^)]*workspace_id/;

/** The declarations of a file that name such a table and keep no workspaces apart, as `room/file.ts:name`. */
function mixing({ path, text }: SourceFile): readonly string[] {
  return text
    .replaceAll(/^ *(?:\/\/|\/?\*).*$/gm, '')
    .split(/\n(?=(?:export |async |function |const |class |interface |type )[^\n]*)/)
    .filter((declaration) => NAMED.test(declaration) && !KEPT_APART.test(declaration))
    .map(
      (declaration) =>
        `${path.replace(/^src\/\w+\//, '')}:${/(?:function\*?|const|class) (\w+)/.exec(declaration)?.[1]}`,
    );
}

const ROOMS_FILES = FILES.filter(
  ({ path }) => new RegExp(`^src/\\w+/(?:${ROOMS})/.*\\.ts$`).test(path) && !path.endsWith('.test.ts'),
);

test('every statement of the control plane on rows of workspaces compares workspace_id, or is listed with a reason', () => {
  expect(TABLES).toEqual(expect.arrayContaining(['keys', 'projects', 'receipts', 'members', 'usage_hours', 'top_ups']));
  expect(ROOMS_FILES.flatMap(mixing).toSorted()).toEqual(Object.keys(EXCEPTIONS).toSorted());
});

test('a statement that finds a key by its id alone is noticed', () => {
  const text =
    'export async function showKey(sql: Sql, id: string) {\n  return sql.query(`select * from keys where id = $1`);\n}';
  expect(mixing({ path: 'src/control/accounts/keys.ts', text })).toEqual(['accounts/keys.ts:showKey']);
});
