import type { Settings } from '../../config/settings.ts';
import { listProcesses, type ServingProcess } from '../accounts/processes.ts';
import type { Finding } from '../doctor/finding.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { applyCatalogue, previewCatalogue } from '../catalogue/price-versions.ts';
import { isRefusal, refuse, type Refusal } from '../../domain/refusals.ts';
import type { ControlSql } from '../../lib/control-sql.ts';
import { type Bytes, destroyOnFault } from './long-answers.ts';
import type { AdminApp } from './route-access.ts';
import { catalogueChangeJson } from './representations.ts';
import { serve } from './serve.ts';

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
  /** The two characters in its keys. */
  readonly shard: string;
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

/** Adds the routes that concern the instance rather than one workspace. */
export function addInstanceRoutes(app: AdminApp, deps: InstanceDependencies): void {
  addCatalogueRoutes(app, deps);
  serve(app, 'showStatus', async () => {
    const { version, ready, startedAt, database, problems } = await deps.status();
    return {
      version,
      ready,
      started_at: startedAt.toISOString(),
      database,
      shard: deps.shard,
      problems: [...problems],
    };
  });
  serve(app, 'listProcesses', async ({ operator }) => {
    const listed = await listProcesses(deps.sql, operator);
    return { data: listed.map(processJson) };
  });
  serve(app, 'examineInstance', async () => ({ data: [...(await deps.examine())] }));
  serve(app, 'showSettings', async () => {
    const shown = await deps.settings();
    return { ...shown, settings: [...shown.settings] };
  });
  serve(app, 'beginRestart', async () => {
    if (deps.restart === undefined) return refuse('CONFLICT', NO_WORKERS);
    return await deps.restart.begin();
  });
  serve(app, 'showRestart', async () => {
    if (deps.restart === undefined) return refuse('CONFLICT', NO_WORKERS);
    return await deps.restart.progress();
  });
  serve(app, 'downloadBackup', async ({ c }) => {
    const stream = await deps.backup();
    if (isRefusal(stream)) return stream;
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
  serve(app, 'previewCatalogue', async () => {
    const changes = await previewCatalogue(sql, catalogue.configured);
    const onSale = catalogue.list().map(({ id }) => id);
    return { changes: changes.map(catalogueChangeJson), on_sale: onSale };
  });
  serve(app, 'applyCatalogue', async ({ body }) => {
    const { accept = [] } = body;
    const { applied, withheld } = await applyCatalogue(sql, catalogue.configured, { accept });
    await catalogue.reload();
    return { applied: applied.map(catalogueChangeJson), withheld: withheld.map(catalogueChangeJson) };
  });
}
