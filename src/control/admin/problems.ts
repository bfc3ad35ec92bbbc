import { readClosedCredit } from '../accounts/closing.ts';
import { findOutboxProblems } from '../alerts/outbox-problems.ts';
import { previewCatalogue } from '../catalogue/price-versions.ts';
import { formatUsd } from '../../domain/money.ts';
import type { CatalogueChange } from '../catalogue/catalogue-diff.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Keyring } from '../encryption/keyring.ts';
import { findOverdueGrants } from '../ledger/recurring-grants.ts';
import { lastVerification } from '../ledger/verifications.ts';
import { findFailingSinks } from '../sinks/sink-progress.ts';
import { paymentProblems } from '../payments/payment-upkeep.ts';
import { findWorkProblems, type PlannedWork } from '../schedules/work-problems.ts';
import type { ControlSql } from '../../lib/control-sql.ts';
import { DatabaseUnavailable, type UnavailableReason } from '../../lib/sql.ts';

/** The reasons for which the database's contents can't be checked. */
const UNREADABLE: Readonly<Record<UnavailableReason, string>> = {
  away: 'The database does not answer.',
  busy: "All of the control plane's connections to the database are in use.",
  stopped: 'The database takes too long to answer.',
  contended: 'The database takes too long to answer.',
  exhausted: 'The database ran out of memory, disk space or connections: see its log.',
};

/** The configured models, and the models on sale. */
type ShownCatalogue = Pick<Catalogue, 'configured' | 'list'>;

interface ProblemParts {
  readonly keyring: Pick<Keyring, 'problem'>;
  readonly planned: readonly PlannedWork[];
  readonly nowMs: number;
}

/** Problems of a serving instance for its operator, one sentence each. */
export async function findProblems(
  sql: ControlSql,
  catalogue: ShownCatalogue,
  { keyring, planned, nowMs }: ProblemParts,
): Promise<readonly string[]> {
  try {
    const [ledger, outbox] = [await ledgerProblems(sql), await findOutboxProblems(sql)];
    const money = [
      ...ledger,
      ...(await closedCreditProblems(sql)),
      ...(await overdueGrantProblems(sql)),
      ...(await paymentProblems(sql)),
    ];
    const secrets = await keyring.problem();
    const keys = secrets === null ? [] : [secrets];
    const work = [...(await findWorkProblems(sql, planned, nowMs)), ...(await sinkProblems(sql))];
    return [...money, ...outbox, ...keys, ...work, ...(await catalogueProblems(sql, catalogue))];
  } catch (fault) {
    if (fault instanceof DatabaseUnavailable) return [UNREADABLE[fault.reason]];
    throw fault;
  }
}

async function ledgerProblems(sql: ControlSql): Promise<readonly string[]> {
  const proof = await lastVerification(sql);
  if (proof === null || proof.differenceCount === 0n) return [];
  const { startedAt, differenceCount } = proof;
  return [
    `The ledger did not add up when it was last verified, at ${startedAt.toISOString()} (${differenceCount} differences): run "faregate ledger verify".`,
  ];
}

/** Credit is refunded within minutes after it came to a closed workspace; what is still there needs somebody. */
async function closedCreditProblems(sql: ControlSql): Promise<readonly string[]> {
  return (await readClosedCredit(sql)).map(
    ({ workspaceName, workspaceId, credit }) =>
      `The closed workspace "${workspaceName}" (${workspaceId}) holds ${formatUsd(credit)} USD, which nobody can spend: it is refunded within ten minutes, unless the log says why not.`,
  );
}

/** A recurring grant is posted within half a minute of its period's begin. */
async function overdueGrantProblems(sql: ControlSql): Promise<readonly string[]> {
  return (await findOverdueGrants(sql)).map(
    ({ id, workspaceId, workspaceName, since }) =>
      `The recurring grant ${id} of the workspace "${workspaceName}" (${workspaceId}) has been due since ${since.toISOString()} and was not posted; the log says why. It is tried again each hour: to end it, run "faregate credit recurring end ${workspaceId} ${id}".`,
  );
}

async function sinkProblems(sql: ControlSql): Promise<readonly string[]> {
  return (await findFailingSinks(sql)).map(
    ({ sink, since, fault }) =>
      `The sink "${sink}" has failed since ${since.toISOString()}: ${fault}. Receipts and audit events wait for it; prompts and answers are dropped once its queues are full.`,
  );
}

async function catalogueProblems(sql: ControlSql, catalogue: ShownCatalogue): Promise<readonly string[]> {
  const problems: string[] = [];
  if (catalogue.list().length === 0) {
    problems.push('No model is on sale, so every request is refused: add models to the config file.');
  }
  const changes = await previewCatalogue(sql, catalogue.configured);
  const withheld = changes.filter(({ needsAccept }) => needsAccept);
  const priced = idsOf(withheld, 'update');
  if (priced.length > 0) {
    problems.push(
      `The config file changes a price more than tenfold, so the former price stays in force, for ${priced.join(', ')}: see "faregate catalogue diff"; to accept the change, run "faregate catalogue apply --accept ${priced.join(' ')}".`,
    );
  }
  const lost = idsOf(withheld, 'retire');
  if (lost.length > 0) {
    problems.push(
      `The config file lacks most of the models that have a price: ${lost.join(', ')}. They stay on sale. Put them back, or retire them with "faregate catalogue apply --accept ${lost.join(' ')}".`,
    );
  }
  const others = changes.length - withheld.length;
  if (others > 0) {
    problems.push(
      `${others} changes to the config file's models are not in force yet: run "faregate catalogue apply".`,
    );
  }
  return problems;
}

function idsOf(changes: readonly CatalogueChange[], kind: CatalogueChange['change']): readonly string[] {
  return changes.filter(({ change }) => change === kind).map(({ model }) => model);
}
