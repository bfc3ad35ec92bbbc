import { randomUUIDv7 } from 'node:crypto';
import type { NanoUsd } from '../domain/money.ts';
import type { ModelPolicy } from '../domain/policy.ts';
import { refuse, type Refusal } from '../domain/refusals.ts';
import type { Period } from '../domain/window.ts';
import { type Page, type PageRequest, readPage } from '../lib/page.ts';
import { SqlFault, type SqlRunner } from '../lib/sql.ts';

/** Settings of a project; null: no limit, any model. */
export interface ProjectSettings {
  readonly name: string;
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
  readonly concurrency: number | null;
  /** Nano-USD for each period. */
  readonly budget: NanoUsd | null;
  readonly budgetPeriod: Period;
  readonly models: ModelPolicy;
}

export interface Project extends ProjectSettings {
  readonly id: string;
  readonly workspaceId: string;
  readonly createdAt: Date;
}

interface ProjectRow {
  readonly id: string;
  readonly workspace_id: string;
  readonly name: string;
  readonly requests_per_minute: number | null;
  readonly tokens_per_minute: bigint | null;
  readonly concurrency: number | null;
  readonly budget_nano_usd: NanoUsd | null;
  readonly budget_period: Period;
  readonly models: ModelPolicy;
  readonly created_at: Date;
}

const COLUMNS = `id, workspace_id, name, requests_per_minute, tokens_per_minute, concurrency, budget_nano_usd,
  budget_period, models, created_at`;

const NO_LIMITS: Omit<ProjectSettings, 'name'> = {
  requestsPerMinute: null,
  tokensPerMinute: null,
  concurrency: null,
  budget: null,
  budgetPeriod: 'month',
  models: null,
};

function toProject(row: ProjectRow): Project {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    name: row.name,
    requestsPerMinute: row.requests_per_minute,
    tokensPerMinute: row.tokens_per_minute === null ? null : Number(row.tokens_per_minute),
    concurrency: row.concurrency,
    budget: row.budget_nano_usd,
    budgetPeriod: row.budget_period,
    models: row.models,
    createdAt: row.created_at,
  };
}

function nameTaken(name: string): Refusal {
  return refuse('INVALID_REQUEST', `A project named "${name}" exists already in this workspace.`, { param: 'name' });
}

function columnsOf(settings: ProjectSettings): readonly (string | number | bigint | readonly string[] | null)[] {
  const { name, requestsPerMinute, tokensPerMinute, concurrency, budget, budgetPeriod, models } = settings;
  return [name, requestsPerMinute, tokensPerMinute, concurrency, budget, budgetPeriod, models];
}

/** Creates a project in an existing workspace. Refused if the workspace has one of that name. One statement. */
export async function createProject(
  sql: SqlRunner,
  workspaceId: string,
  given: Partial<ProjectSettings> & Pick<ProjectSettings, 'name'>,
): Promise<Project | Refusal> {
  const settings = { ...NO_LIMITS, ...given };
  const [row] = await sql.query<ProjectRow>(
    `with project as (
       insert into projects (workspace_id, id, name, requests_per_minute, tokens_per_minute, concurrency,
         budget_nano_usd, budget_period, models)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       on conflict (workspace_id, name) where archived_at is null do nothing
       returning ${COLUMNS}
     ), change as (
       insert into changes (kind, subject_id) select 'project', id::text from project
     )
     select * from project`,
    [workspaceId, randomUUIDv7(), ...columnsOf(settings)],
  );
  return row === undefined ? nameTaken(settings.name) : toProject(row);
}

/**
 * Changes the given fields and leaves the others. A new budget applies to the current window, which starts with what
 * the window's receipts have cost; requests in progress charge the purse that admitted them. Null: no such project. One
 * statement.
 */
export async function updateProject(
  sql: SqlRunner,
  projectId: string,
  given: Partial<ProjectSettings>,
): Promise<Project | Refusal | null> {
  try {
    const [row] = await sql.query<ProjectRow>(`select ${COLUMNS} from update_project($1, $2::jsonb)`, [
      projectId,
      givenColumns(given),
    ]);
    return row === undefined ? null : toProject(row);
  } catch (fault) {
    if (fault instanceof SqlFault && fault.constraint === 'projects_name') return nameTaken(given.name ?? '');
    throw fault;
  }
}

/** The given fields by column name. */
function givenColumns({ budget, ...given }: Partial<ProjectSettings>): string {
  return JSON.stringify({
    name: given.name,
    requests_per_minute: given.requestsPerMinute,
    tokens_per_minute: given.tokensPerMinute,
    concurrency: given.concurrency,
    // A JSON number could not hold it exactly.
    budget_nano_usd: budget?.toString() ?? budget,
    budget_period: given.budgetPeriod,
    models: given.models,
  });
}

/** A page of the workspace's projects that aren't archived, oldest first. */
export async function listProjects(
  sql: SqlRunner,
  workspaceId: string,
  page: PageRequest = {},
): Promise<Page<Project>> {
  return await readPage(page, async (after, count) => {
    const rows = await sql.query<ProjectRow>(
      `select ${COLUMNS} from projects
       where workspace_id = $1 and archived_at is null and ($2::uuid is null or id > $2) order by id limit $3`,
      [workspaceId, after, count],
    );
    return rows.map(toProject);
  });
}
