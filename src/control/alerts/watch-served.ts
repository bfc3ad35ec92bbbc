import type { NanoUsd } from '../../domain/money.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import type { AlertRule } from './alert-rules.ts';
import { roundUsd } from './alert-text.ts';
import type { Crossing } from './alerts.ts';
import { type Standing, standingOfShare } from './crossings.ts';
import type { Finding } from './open-alerts.ts';
import { type Place, FIRST_PLACE, leastPercent, SUBJECTS_PER_SLICE } from './watch-shares.ts';

// Limits of end users and sessions. There may be very many, whom nobody knows by name, so an alert is about their project: there is one of
// a rule for it, however many have crossed the threshold.

export type ServedKind = 'end_user' | 'session';

/** An end user or a session with nearly enough used of the limit for some rule. */
interface ServedSubject {
  readonly projectId: string;
  readonly limit: NanoUsd;
  readonly used: NanoUsd;
}

/** A project whose end users or sessions have a limit. */
interface ServedProject {
  readonly workspaceId: string;
  readonly id: string;
  readonly name: string;
  readonly windowStart: Date;
  readonly windowEnd: Date;
}

/** The project's name, and those of its end users or sessions that have used much of their limits. */
export interface ServedShares extends ServedProject {
  readonly subjects: readonly ServedSubject[];
}

interface SliceRow extends ServedProject, ServedSubject {}

export interface ServedSlice {
  readonly rows: readonly SliceRow[];
  /** Null: it was the last one. */
  readonly end: Place | null;
}

/** How far a share may be below the least threshold, in percent, so that an open alert does not end by it. */
const MARGIN = 5n;

/**
 * The next end users or sessions of these workspaces in windows that run now, in the order of their purses' index. Only those that have
 * used nearly the least percentage of the rules are returned.
 */
export async function readServedSlice(
  tx: SqlRunner,
  kind: ServedKind,
  rules: readonly AlertRule[],
  { workspaceIds, after }: { readonly workspaceIds: readonly string[]; readonly after: Place | null },
): Promise<ServedSlice> {
  const { workspaceId, id } = after ?? FIRST_PLACE;
  const period = kind === 'session' ? `'month'` : 'projects.end_user_period';
  const slice = `
    select x.id as purse, x.workspace_id, x.subject_id, x.project_id, projects.name, x.window_start, x.window_end,
      x.spent_nano_usd - x.corrected_nano_usd as settled,
      limit_now(x.limit_nano_usd, x.raised_limit_nano_usd, x.raised_until) as "limit"
    from purses x join projects on projects.id = x.project_id and x.period = ${period}
    where x.workspace_id = any ($1) and x.kind = '${kind}' and (x.workspace_id, x.subject_id) > ($2::uuid, $3::uuid)
      and x.window_end > now() and x.window_start <= now()
    order by x.workspace_id, x.subject_id limit ${SUBJECTS_PER_SLICE}`;
  const [end] = await tx.query<Place>(
    `select workspace_id as "workspaceId", subject_id as id from (${slice}) s order by workspace_id, subject_id
     offset ${SUBJECTS_PER_SLICE - 1}`,
    [workspaceIds, workspaceId, id],
  );
  const rows = await tx.query<SliceRow>(
    `select s.workspace_id as "workspaceId", s.project_id as id, s.project_id as "projectId", s.name,
       s.window_start as "windowStart", s.window_end as "windowEnd", s."limit", u.used
     from (${slice}) s
     cross join lateral (
       select s.settled + coalesce(sum(l.charged_nano_usd), 0)::bigint as used from leases l where l.purse_id = s.purse
     ) u
     where s."limit" > 0 and u.used::numeric * 100 >= s."limit"::numeric * $4::bigint`,
    [workspaceIds, workspaceId, id, leastPercent(rules) - MARGIN],
  );
  return { rows, end: end ?? null };
}

/** What slices have found, added up by project. */
export class ServedProjects {
  readonly #byId = new Map<string, ServedProject & { readonly subjects: ServedSubject[] }>();

  add(rows: readonly SliceRow[]): void {
    for (const { projectId, limit, used, ...project } of rows) {
      const known = this.#byId.get(project.id) ?? { ...project, subjects: [] };
      known.subjects.push({ projectId, limit, used });
      this.#byId.set(project.id, known);
    }
  }

  /** What the rules of their workspaces find in the projects; projects with open alerts are clear if nothing is found there. */
  findings(
    kind: ServedKind,
    rules: readonly (AlertRule & { readonly workspaceId: string })[],
    open: readonly { readonly workspaceId: string; readonly ruleId: string; readonly subjectId: string }[],
  ): readonly Finding[] {
    const found = [...this.#byId.values()].flatMap((project) =>
      rules
        .filter(
          ({ workspaceId, subjectId }) =>
            workspaceId === project.workspaceId && (subjectId ?? project.id) === project.id,
        )
        .map((rule) => findingOf(kind, project, rule)),
    );
    const seen = new Set(found.map(({ ruleId, subjectId }) => `${ruleId} ${subjectId}`));
    const ended = open
      .filter(({ ruleId, subjectId }) => !seen.has(`${ruleId} ${subjectId}`) && rules.some(({ id }) => id === ruleId))
      .map(({ workspaceId, ruleId, subjectId }) => ({
        workspaceId,
        ruleId,
        subjectId,
        standing: 'clear' as const,
        crossing: noCrossing,
      }));
    return [...found, ...ended];
  }
}

function noCrossing(): never {
  throw new TypeError('what is clear has not crossed');
}

const RANK: Readonly<Record<Standing, number>> = { clear: 0, between: 1, crossed: 2 };

function findingOf(kind: ServedKind, project: ServedShares, { id: ruleId, threshold }: AlertRule): Finding {
  const percent = threshold ?? 100n;
  const standings = project.subjects.map(({ used, limit }) => standingOfShare(used, limit, percent));
  const standing = standings.reduce((most, each) => (RANK[each] > RANK[most] ? each : most), 'clear' as Standing);
  const crossed = project.subjects.filter((_, at) => standings[at] === 'crossed');
  return {
    workspaceId: project.workspaceId,
    ruleId,
    subjectId: project.id,
    standing,
    crossing: () => crossingOf(kind, { ...project, subjects: crossed }, percent),
  };
}

function crossingOf(kind: ServedKind, project: ServedShares, percent: bigint): Crossing {
  const { id, name, subjects, windowStart, windowEnd } = project;
  const [first = { used: 0n, limit: null }, ...others] = subjects.toSorted((a, b) =>
    a.used * b.limit > b.used * a.limit ? -1 : 1,
  );
  const word = kind === 'session' ? 'session' : 'end user';
  const share = percent === 100n ? 'used up' : `used ${percent} % of`;
  const who =
    others.length === 0
      ? `${kind === 'session' ? 'A' : 'An'} ${word} of the project "${name}" has ${share} the limit`
      : `${subjects.length} ${word}s of the project "${name}" have ${share} their limits`;
  const most =
    first.limit === null
      ? ''
      : `: ${others.length === 0 ? '' : 'at most '}${roundUsd(first.used)} of ${roundUsd(first.limit)}`;
  return {
    subjectKind: 'project',
    subjectId: id,
    subjectName: name,
    window: { start: windowStart, end: windowEnd },
    summary: `${who}${most} until ${windowEnd.toISOString().slice(0, 10)}.`,
    value: first.used,
    limit: first.limit,
  };
}
