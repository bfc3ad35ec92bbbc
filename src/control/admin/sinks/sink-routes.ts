import { definedFields } from '../../../lib/defined-fields.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import { makeChange } from '../../audit/change.ts';
import {
  changeWorkspaceSink,
  type DeclaredSink,
  listWorkspaceSinks,
  type WorkspaceSink,
} from '../../sinks/workspace-sinks.ts';
import type { AdminApp } from '../route-access.ts';
import { serve } from '../serve.ts';
import type { WorkspaceSinkJson } from './sink-contract.ts';

export interface SinkParts {
  readonly sql: ControlSql;
  /** The sinks of the config file; left out: none. */
  readonly sinks?: readonly DeclaredSink[];
}

/** Adds the routes of sinks. */
export function addSinkRoutes(app: AdminApp, { sql, sinks = [] }: SinkParts): void {
  serve(app, 'listSinks', async ({ scope }) => {
    const used = await listWorkspaceSinks(sql, scope, sinks);
    return { data: used.map(sinkJson) };
  });
  serve(app, 'updateSink', sinkJson, ({ scope, params, version, body }) => {
    const { records, sample_percent: samplePercent, redact } = body;
    const sink = sinks.find(({ name }) => name === params.sink);
    const change = definedFields({
      records: records === undefined ? undefined : [...new Set(records)],
      samplePercent,
      redact: redact === undefined ? undefined : [...new Set(redact)],
    });
    return makeChange(sql, (tx) => changeWorkspaceSink(tx, scope, sink, { change, version }));
  });
}

function sinkJson({ samplePercent, lostRecords, lastLostAt, changedAt, ...sink }: WorkspaceSink): WorkspaceSinkJson {
  return {
    name: sink.name,
    kind: sink.kind,
    records: [...sink.records],
    sample_percent: samplePercent,
    redact: [...sink.redact],
    lost_records: Number(lostRecords),
    last_lost_at: lastLostAt?.toISOString() ?? null,
    version: sink.version,
    changed_at: changedAt?.toISOString() ?? null,
  };
}
