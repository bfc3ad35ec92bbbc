import { createRoute, type OpenAPIHono } from '@hono/zod-openapi';
import type { Finding } from '../doctor/finding.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { applyCatalogue, previewCatalogue } from '../catalogue/price-versions.ts';
import { isRefusal, refuse, type Refusal } from '../domain/refusals.ts';
import type { ControlSql } from '../lib/control-sql.ts';
import { answerRefusal, bytes, json, ok } from './answers.ts';
import { type Bytes, orBreakOff } from './long-answers.ts';
import * as contract from './contract.ts';
import { catalogueChangeJson } from './representations.ts';

/** How the instance is. */
export interface InstanceStatus {
  readonly version: string;
  /** Whether it serves requests now. */
  readonly ready: boolean;
  readonly startedAt: Date;
  readonly database: 'embedded' | 'external';
  /** Problems for the operator, a sentence each: failing readiness checks, price changes awaiting approval. */
  readonly problems: readonly string[];
}

/** How a rolling restart stands, or how the last one ended. */
export interface Restart {
  readonly running: boolean;
  /** How many workers there are, and how many of them it has replaced. */
  readonly workers: number;
  readonly replaced: number;
  /** The reason of its failure; null if it hasn't failed. */
  readonly problem: string | null;
}

/** The refusal of a rolling restart of a single process. */
export const NOTHING_TO_ROLL =
  'This instance runs as one process, so it has no workers to replace: stop it and start it again, or start it with --workers 2 or more.';

export interface InstanceDependencies {
  readonly sql: ControlSql;
  readonly catalogue: Catalogue;
  readonly status: () => InstanceStatus | Promise<InstanceStatus>;
  /** Looks at everything that must be right where this process runs. */
  readonly examine: () => Promise<readonly Finding[]>;
  /** Replaces the instance's workers one by one; left out if there is one process alone. */
  readonly restart?: { begin(): Promise<Restart>; progress(): Promise<Restart> };
  /** Begins a backup of the whole instance; refused while one is written. */
  readonly backup: () => Promise<Bytes | Refusal>;
}

const diff = createRoute({
  method: 'get',
  path: '/admin/v1/catalogue/diff',
  tags: ['Catalogue'],
  summary: "Preview the changes that the config file's models would make",
  responses: ok(contract.catalogueDiff, 'The changes that an apply would make.'),
});

const apply = createRoute({
  method: 'post',
  path: '/admin/v1/catalogue/apply',
  tags: ['Catalogue'],
  summary: "Sell the config file's models at its prices",
  request: { body: json(contract.catalogueApplication) },
  responses: ok(contract.appliedCatalogue, 'The changes made, and those that need to be accepted.'),
});

const status = createRoute({
  method: 'get',
  path: '/admin/v1/status',
  tags: ['Instance'],
  summary: "Show the instance's version, readiness and problems",
  responses: ok(contract.status, 'The status.'),
});

const doctor = createRoute({
  method: 'get',
  path: '/admin/v1/doctor',
  tags: ['Instance'],
  summary: 'Check the surroundings of the instance',
  responses: ok(contract.examination, 'The findings: runtime, config, data directory, disk, open files, database.'),
});

const restart = createRoute({
  method: 'post',
  path: '/admin/v1/restart',
  tags: ['Instance'],
  summary: 'Start to replace the workers one by one',
  responses: ok(contract.restart, 'Progress of the restart, which continues by itself.'),
});

const restartProgress = createRoute({
  method: 'get',
  path: '/admin/v1/restart',
  tags: ['Instance'],
  summary: 'Show the progress of the restart, or the result of the last one',
  responses: ok(contract.restart, 'How it stands.'),
});

const backup = createRoute({
  method: 'get',
  path: '/admin/v1/backup',
  tags: ['Instance'],
  summary: 'Download a backup of the whole instance',
  responses: bytes('The backup.'),
});

/** Adds the routes that are about no one workspace. */
export function addInstanceRoutes(app: OpenAPIHono, deps: InstanceDependencies): void {
  addCatalogueRoutes(app, deps);
  app.openapi(status, async (c) => {
    const { version, ready, startedAt, database, problems } = await deps.status();
    return c.json({ version, ready, started_at: startedAt.toISOString(), database, problems: [...problems] }, 200);
  });
  app.openapi(doctor, async (c) => c.json({ data: [...(await deps.examine())] }, 200));
  app.openapi(restart, async (c) => {
    if (deps.restart === undefined) return answerRefusal(c, refuse('INVALID_REQUEST', NOTHING_TO_ROLL));
    return c.json(await deps.restart.begin(), 200);
  });
  app.openapi(restartProgress, async (c) => {
    if (deps.restart === undefined) return answerRefusal(c, refuse('INVALID_REQUEST', NOTHING_TO_ROLL));
    return c.json(await deps.restart.progress(), 200);
  });
  app.openapi(backup, async (c) => {
    const stream = await deps.backup();
    if (isRefusal(stream)) return answerRefusal(c, stream);
    // Its writer has reported the fault.
    const body = orBreakOff(c, stream, () => undefined);
    return c.body(body, 200, { 'content-type': 'application/octet-stream' });
  });
}

function addCatalogueRoutes(app: OpenAPIHono, { sql, catalogue }: InstanceDependencies): void {
  app.openapi(diff, async (c) => {
    const changes = await previewCatalogue(sql, catalogue.configured);
    const onSale = catalogue.list().map(({ id }) => id);
    return c.json({ changes: changes.map(catalogueChangeJson), on_sale: onSale }, 200);
  });
  app.openapi(apply, async (c) => {
    const { accept = [] } = c.req.valid('json');
    const { applied, withheld } = await applyCatalogue(sql, catalogue.configured, { accept });
    await catalogue.reload();
    return c.json({ applied: applied.map(catalogueChangeJson), withheld: withheld.map(catalogueChangeJson) }, 200);
  });
}
