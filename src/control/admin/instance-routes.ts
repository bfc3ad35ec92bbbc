import type { Settings } from '../../config/settings.ts';
import { listProcesses, type ServingProcess } from '../accounts/processes.ts';
import type { Finding } from '../doctor/finding.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { applyCatalogue, previewCatalogue } from '../catalogue/price-versions.ts';
import { isRefusal, refuse, type Refusal } from '../../domain/refusals.ts';
import type { ControlSql } from '../../lib/control-sql.ts';
import { answerRefusal, bytes, json, ok } from './answers.ts';
import { type Bytes, destroyOnFault } from './long-answers.ts';
import * as contract from './contract.ts';
import { type AdminApp, operatorRoute } from './route-access.ts';
import { catalogueChangeJson } from './representations.ts';

/** The state of the instance. */
export interface InstanceStatus {
  readonly version: string;
  /** Whether it serves requests now. */
  readonly ready: boolean;
  readonly startedAt: Date;
  readonly database: 'embedded' | 'external';
  /** Problems for the operator, one sentence each: failing readiness checks, price changes awaiting approval. */
  readonly problems: readonly string[];
}

/** The progress of a rolling restart, or the result of the last one. */
export interface Restart {
  readonly running: boolean;
  /** The number of workers, and how many of them were replaced. */
  readonly workers: number;
  readonly replaced: number;
  /** The reason of its failure; null if it has not failed. */
  readonly problem: string | null;
}

/** The refusal of a rolling restart of a single process. */
export const NO_WORKERS =
  'This instance runs as one process, so it has no workers to replace: stop it and start it again. To be able to replace workers, start it with --workers 2 or more.';

export interface InstanceDependencies {
  readonly sql: ControlSql;
  readonly catalogue: Catalogue;
  readonly status: () => InstanceStatus | Promise<InstanceStatus>;
  /** The settings in force in the whole instance. */
  readonly settings: () => Promise<Settings>;
  /** Runs the doctor's checks in this process. */
  readonly examine: () => Promise<readonly Finding[]>;
  /** Replaces the instance's workers one by one; absent if the instance is a single process. */
  readonly restart?: { begin(): Promise<Restart>; progress(): Promise<Restart> };
  /** Begins a backup of the whole instance; refused while another is in progress. */
  readonly backup: () => Promise<Bytes | Refusal>;
}

const diff = operatorRoute({
  operationId: 'previewCatalogue',
  method: 'get',
  path: '/catalogue/diff',
  tags: ['Catalogue'],
  summary: "Preview the changes that the config file's models would make",
  responses: ok(contract.catalogueDiff, 'The changes that an apply would make.'),
});

const apply = operatorRoute({
  operationId: 'applyCatalogue',
  method: 'post',
  path: '/catalogue/apply',
  tags: ['Catalogue'],
  summary: "Put the config file's models and prices on sale",
  request: { body: json(contract.catalogueApplication, { accept: ['small-chat'] }) },
  responses: ok(contract.appliedCatalogue, 'The changes made, and those that need to be accepted.'),
});

const status = operatorRoute({
  operationId: 'showStatus',
  method: 'get',
  path: '/status',
  tags: ['Instance'],
  summary: "Show the instance's version, readiness and problems",
  responses: ok(contract.status, 'The status.'),
});

const processes = operatorRoute({
  operationId: 'listProcesses',
  method: 'get',
  path: '/processes',
  tags: ['Instance'],
  summary: 'List the processes that serve on this database',
  responses: ok(contract.processes, 'The processes of all instances, the oldest first.'),
});

const doctor = operatorRoute({
  operationId: 'examineInstance',
  method: 'get',
  path: '/doctor',
  tags: ['Instance'],
  summary: 'Check the surroundings of the instance',
  responses: ok(contract.examination, 'The findings: runtime, config, data directory, disk, open files, database.'),
});

const settings = operatorRoute({
  operationId: 'showSettings',
  method: 'get',
  path: '/settings',
  tags: ['Instance'],
  summary: 'Show the settings in force, and those that wait for a restart',
  responses: ok(contract.settings, 'All settings besides the models. Secrets are not in it.'),
});

const restart = operatorRoute({
  operationId: 'beginRestart',
  refuses: ['CONFLICT'],
  method: 'post',
  path: '/restart',
  tags: ['Instance'],
  summary: 'Start a rolling restart of the workers',
  responses: ok(contract.restart, 'Progress of the restart, which continues in the background.'),
});

const restartProgress = operatorRoute({
  operationId: 'showRestart',
  refuses: ['CONFLICT'],
  method: 'get',
  path: '/restart',
  tags: ['Instance'],
  summary: 'Show the progress of the restart, or the result of the last one',
  responses: ok(contract.restart, 'The progress, or the result.'),
});

const backup = operatorRoute(
  {
    operationId: 'downloadBackup',
    needsRecentSignIn: true,
    method: 'get',
    path: '/backup',
    tags: ['Instance'],
    summary: 'Download a backup of the whole instance; a read-only token needs to be made for it',
    responses: bytes('The backup.'),
  },
  'back_up',
);

/** Adds the routes that concern the instance rather than one workspace. */
export function addInstanceRoutes(app: AdminApp, deps: InstanceDependencies): void {
  addCatalogueRoutes(app, deps);
  app.openapi(status, async (c) => {
    const { version, ready, startedAt, database, problems } = await deps.status();
    return c.json({ version, ready, started_at: startedAt.toISOString(), database, problems: [...problems] }, 200);
  });
  app.openapi(processes, async (c) => {
    const listed = await listProcesses(deps.sql, c.var.operator);
    return c.json({ data: listed.map(processJson) }, 200);
  });
  app.openapi(doctor, async (c) => c.json({ data: [...(await deps.examine())] }, 200));
  app.openapi(settings, async (c) => {
    const shown = await deps.settings();
    return c.json({ ...shown, settings: [...shown.settings] }, 200);
  });
  app.openapi(restart, async (c) => {
    if (deps.restart === undefined) return answerRefusal(c, refuse('CONFLICT', NO_WORKERS));
    return c.json(await deps.restart.begin(), 200);
  });
  app.openapi(restartProgress, async (c) => {
    if (deps.restart === undefined) return answerRefusal(c, refuse('CONFLICT', NO_WORKERS));
    return c.json(await deps.restart.progress(), 200);
  });
  app.openapi(backup, async (c) => {
    const stream = await deps.backup();
    if (isRefusal(stream)) return answerRefusal(c, stream);
    // The writer of the backup has reported the fault.
    const body = destroyOnFault(c, stream, () => undefined);
    return c.body(body, 200, { 'content-type': 'application/octet-stream' });
  });
}

function processJson({ epoch, instanceId, name, startedAt, heartbeatAt, state }: ServingProcess) {
  return {
    epoch: epoch.toString(),
    instance_id: instanceId,
    name,
    started_at: startedAt.toISOString(),
    heartbeat_at: heartbeatAt.toISOString(),
    state,
  };
}

function addCatalogueRoutes(app: AdminApp, { sql, catalogue }: InstanceDependencies): void {
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
