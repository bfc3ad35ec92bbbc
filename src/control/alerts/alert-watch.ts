import { tryTransactionLock } from '../../lib/transaction-lock.ts';
import { assert } from '../../lib/assert.ts';
import type { ControlSql } from '../../lib/control-sql.ts';
import type { Pacer } from '../../lib/pacer.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { INSTANCE_DEFAULTS, LATER_DEFAULTS, WORKSPACE_DEFAULTS } from './alert-kinds.ts';
import { type AlertRule, insertDefaultRules, insertLaterDefaults, RULE_COLUMNS } from './alert-rules.ts';
import { type AlertOwner, type Notifying, pruneAlerts, raiseAlerts, resolveAlerts } from './alerts.ts';
import { endAutoTopUpStops } from './auto-top-up-stops.ts';
import { INSTANCE_ID } from './notice-owner.ts';
import { type Finding, readOpenAlerts, readOpenAlertsOf, turnsOf } from './open-alerts.ts';
import { balanceFindings } from './watch-balances.ts';
import { watchInstance } from './watch-instance.ts';
import { leastPercent, type LimitedKind, type Place, readSharesSlice, shareFindings } from './watch-shares.ts';
import { readServedSlice, type ServedKind, ServedProjects, type ServedSlice } from './watch-served.ts';
import {
  beginLooks,
  endLooks,
  readLastTopUps,
  readNextExpiries,
  readWatchedWorkspaces,
  type WatchedWorkspace,
  WORKSPACES_PER_SLICE,
} from './watched-workspaces.ts';

// The search for crossings. It goes over all workspaces in short transactions, and further only into those whose money has
// moved. An alert and its notices are one transaction, and only one alert of a rule can be open for a subject; so neither a
// crash between two steps nor a second process makes another. A look at a workspace ends only when all of it was looked at.

/** Taken by each transaction, so that processes don't do the same work at the same time. */
const WATCH_LOCK = 4_611_220_105_310_211n;

/** The most workspaces of a slice that the watch has never looked at, or gives further rules. */
const NEW_PER_SLICE = 5;

const KINDS = { project: 'project_budget', key: 'key_limit', member: 'member_limit' } as const;
const SERVED_KINDS = { end_user: 'end_user_limit', session: 'session_limit' } as const;

interface WatchParts {
  readonly sql: ControlSql;
  readonly pacer: Pick<Pacer, 'slice'>;
  readonly notifying: Notifying;
}

interface RuleOfWorkspace extends AlertRule {
  readonly workspaceId: string;
}

/** Workspaces with changed money, and their rules. */
interface Look {
  readonly moved: readonly WatchedWorkspace[];
  readonly rules: readonly RuleOfWorkspace[];
}

/** What a slice of workspaces leaves to look at; null: nothing has moved. */
interface WorkspaceSlice {
  readonly end: string | null;
  readonly look: Look | null;
}

export class AlertWatch {
  readonly #parts: WatchParts;

  constructor(parts: WatchParts) {
    this.#parts = parts;
  }

  /** Looks once at everything. Ends early if another process is at it. @throws DatabaseUnavailable */
  async run(): Promise<void> {
    const isOurs = await this.#slice(async (tx) => {
      await endWindows(tx);
      await endAutoTopUpStops(tx);
      await pruneAlerts(tx);
      await this.#watchInstance(tx);
      return true;
    });
    if (isOurs === null) return;
    let after: string | null = null;
    do {
      const slice: WorkspaceSlice | null = await this.#slice((tx) => this.#watchBalances(tx, after));
      if (slice === null) return;
      if (slice.look !== null && !(await this.#watchShares(slice.look))) return;
      after = slice.end;
    } while (after !== null);
  }

  /** Runs a short transaction in its turn. Null: another process is at it. */
  async #slice<Result>(work: (tx: SqlRunner) => Promise<Result>): Promise<Result | null> {
    const { sql, pacer } = this.#parts;
    return await pacer.slice(() =>
      sql.transaction(async (tx) => {
        return (await tryTransactionLock(tx, WATCH_LOCK)) ? await work(tx) : null;
      }),
    );
  }

  async #watchInstance(tx: SqlRunner): Promise<void> {
    const [watch] = await tx.query('select 1 from alert_watches where workspace_id = $1', [INSTANCE_ID]);
    if (watch === undefined) {
      await tx.query(
        `insert into alert_watches (workspace_id, credited_nano_usd, spent_nano_usd, looked_at, marks)
         values ($1, 0, 0, now(), '[]')`,
        [INSTANCE_ID],
      );
      await insertDefaultRules(tx, [INSTANCE_ID], INSTANCE_DEFAULTS);
    }
    await watchInstance(tx, this.#parts.notifying);
  }

  async #watchBalances(tx: SqlRunner, after: string | null): Promise<WorkspaceSlice> {
    const read = await readWatchedWorkspaces(tx, after);
    const all = withFewNew(read);
    const moved = all.filter(hasMoved);
    const isLast = read.length < WORKSPACES_PER_SLICE && all.length === read.length;
    const end = isLast ? null : (all.at(-1)?.id ?? null);
    if (moved.length === 0) return { end, look: null };
    const ids = moved.map(({ id }) => id);
    await beginLooks(tx, ids);
    const fresh = moved.filter(isNew);
    if (fresh.length > 0) {
      await insertDefaultRules(
        tx,
        fresh.map(({ id }) => id),
        WORKSPACE_DEFAULTS,
      );
    }
    const former = moved.filter(({ lacksDefaults }) => lacksDefaults);
    if (former.length > 0) {
      await insertLaterDefaults(
        tx,
        former.map(({ id }) => id),
        LATER_DEFAULTS,
      );
    }
    const rules = await readRules(tx, ids);
    const byWorkspace = Map.groupBy(rules, ({ workspaceId }) => workspaceId);
    const ofShares = rules.filter(({ kind }) => kind === 'balance_share');
    const lastTopUps = await readLastTopUps(tx, workspaceIdsOf(ofShares));
    const expiries = await readNextExpiries(tx, workspaceIdsOf(rules));
    const findings = moved.flatMap((workspace) =>
      balanceFindings(workspace, byWorkspace.get(workspace.id) ?? [], {
        lastTopUp: lastTopUps.get(workspace.id) ?? null,
        nextExpiry: expiries.get(workspace.id) ?? null,
      }),
    );
    await this.#act(tx, { kind: 'workspace', findings, rules, moved });
    return { end, look: { moved, rules } };
  }

  /** Looks into the workspaces that have moved. False: another process is at it. */
  async #watchShares({ moved, rules }: Look): Promise<boolean> {
    for (const kind of ['project', 'key', 'member'] as const) {
      const ofKind = rules.filter((rule) => rule.kind === KINDS[kind]);
      if (ofKind.length === 0) continue;
      let after: Place | null = null;
      do {
        const slice: { readonly end: Place | null } | null = await this.#slice((tx) =>
          this.#watchSharesSlice(tx, kind, { rules: ofKind, moved, after }),
        );
        if (slice === null) return false;
        after = slice.end;
      } while (after !== null);
    }
    for (const kind of ['end_user', 'session'] as const) {
      if (!(await this.#watchServed(kind, { moved, rules: rules.filter((rule) => rule.kind === SERVED_KINDS[kind]) })))
        return false;
    }
    const isEnded = await this.#slice(async (tx) => {
      await endLooks(tx, moved);
      return true;
    });
    return isEnded === true;
  }

  async #watchSharesSlice(
    tx: SqlRunner,
    kind: LimitedKind,
    look: Look & { readonly after: Place | null },
  ): Promise<{ readonly end: Place | null }> {
    const { rules, moved, after } = look;
    const workspaceIds = workspaceIdsOf(rules);
    const { subjects, end } = await readSharesSlice(tx, kind, { workspaceIds, after, percentMin: leastPercent(rules) });
    const byWorkspace = Map.groupBy(rules, ({ workspaceId }) => workspaceId);
    const findings = subjects.flatMap((subject) =>
      shareFindings(kind, subject, byWorkspace.get(subject.workspaceId) ?? []),
    );
    await this.#act(tx, { kind, findings, rules, moved });
    return { end };
  }

  /** Looks at end users or sessions, and acts on what is found of each project once all were looked at. False: another process is at it. */
  async #watchServed(kind: ServedKind, look: Look): Promise<boolean> {
    const { rules } = look;
    if (rules.length === 0) return true;
    const workspaceIds = workspaceIdsOf(rules);
    const projects = new ServedProjects();
    let after: Place | null = null;
    do {
      const at: { readonly workspaceIds: readonly string[]; readonly after: Place | null } = { workspaceIds, after };
      const slice: ServedSlice | null = await this.#slice((tx) => readServedSlice(tx, kind, rules, at));
      if (slice === null) return false;
      projects.add(slice.rows);
      after = slice.end;
    } while (after !== null);
    const isDone = await this.#slice(async (tx) => {
      const ruleIds = rules.map(({ id }) => id);
      const findings = projects.findings(kind, rules, await readOpenAlertsOf(tx, workspaceIds, ruleIds));
      await this.#act(tx, { ...look, kind: 'project', findings });
      return true;
    });
    return isDone === true;
  }

  /** Raises and ends the alerts that the findings ask for. */
  async #act(
    tx: SqlRunner,
    look: Look & { readonly kind: LimitedKind | 'workspace'; readonly findings: readonly Finding[] },
  ): Promise<void> {
    const { kind, findings, rules, moved } = look;
    if (findings.length === 0) return;
    const workspaceIds = workspaceIdsOf(findings);
    const subjectIds = [...new Set(findings.map(({ subjectId }) => subjectId))];
    const { crossed, over } = turnsOf(findings, await readOpenAlerts(tx, workspaceIds, kind, subjectIds));
    // Rules are locked before alerts, as where a rule is changed.
    for (const [ruleId, crossings] of crossed) {
      const rule = rules.find(({ id }) => id === ruleId);
      assert(rule !== undefined, 'a crossing is of a rule');
      await raiseAlerts(tx, ownerIn(moved, rule.workspaceId), { rule, crossings }, this.#parts.notifying);
    }
    await resolveAlerts(tx, workspaceIds, over);
  }
}

function isNew({ seen }: WatchedWorkspace): boolean {
  return seen === null;
}

/** The workspaces up to where too many are new: the first look at one may raise several alerts at a time. */
function withFewNew(workspaces: readonly WatchedWorkspace[]): readonly WatchedWorkspace[] {
  const tooMany = workspaces.filter((each) => isNew(each) || each.lacksDefaults)[NEW_PER_SLICE];
  return tooMany === undefined ? workspaces : workspaces.slice(0, workspaces.indexOf(tooMany));
}

function hasMoved({ credited, spent, seen, lacksDefaults }: WatchedWorkspace): boolean {
  return seen === null || lacksDefaults || seen.isStale || seen.credited !== credited || seen.spent !== spent;
}

function ownerIn(workspaces: readonly WatchedWorkspace[], workspaceId: string): AlertOwner {
  return { workspaceId, workspaceName: workspaces.find(({ id }) => id === workspaceId)?.name ?? '' };
}

function workspaceIdsOf(each: readonly { readonly workspaceId: string }[]): readonly string[] {
  return [...new Set(each.map(({ workspaceId }) => workspaceId))];
}

async function readRules(tx: SqlRunner, workspaceIds: readonly string[]): Promise<readonly RuleOfWorkspace[]> {
  return await tx.query<RuleOfWorkspace>(
    `select workspace_id as "workspaceId", ${RULE_COLUMNS} from alert_rules
     where workspace_id = any ($1) and enabled order by workspace_id, id`,
    [workspaceIds],
  );
}

/** Ends alerts of windows that have ended: a crossing in the next window is a new alert. */
async function endWindows(tx: SqlRunner): Promise<void> {
  await tx.query(
    `update alerts set resolved_at = now()
     where id in (select id from alerts where resolved_at is null and window_end <= now() limit 1000)`,
  );
}
