import { ExportResultCode } from '@opentelemetry/core';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import type { OtlpSinkConfig } from '../../../config/config.ts';
import { PROGRAM_VERSION } from '../../../lib/program-version.ts';
import { FAREGATE } from './conventions.ts';

/** A line for a collector's logs. */
export interface ExportedLine {
  /** A JSON object. */
  readonly body: string;
  readonly workspaceId: string;
}

/** Exports lines; resolves to the reason if the collector has not taken them, with the status of its answer if it gave one. */
export type LogExport = (
  lines: readonly ExportedLine[],
) => Promise<{ readonly reason: string; readonly status: number | null } | null>;

type Exported = Parameters<OTLPLogExporter['export']>[0][number];

/** Opens the export to a collector of a sink. */
export function openLogExport(sink: OtlpSinkConfig, processId: string): LogExport {
  const exporter = new OTLPLogExporter({
    url: `${sink.endpoint}/v1/logs`,
    headers: { ...sink.headers },
    timeoutMillis: sink.timeoutMs,
  });
  const resource = resourceFromAttributes({
    'service.name': 'faregate',
    'service.version': PROGRAM_VERSION,
    'service.instance.id': processId,
  });
  const scope = { name: 'faregate.sinks', version: PROGRAM_VERSION };
  const recordOf = ({ body, workspaceId }: ExportedLine): Exported => {
    const nowMs = Date.now();
    const seconds = Math.floor(nowMs / 1_000);
    const time: [number, number] = [seconds, (nowMs - seconds * 1_000) * 1_000_000];
    return {
      hrTime: time,
      hrTimeObserved: time,
      body,
      attributes: { [FAREGATE.workspaceId]: workspaceId },
      resource,
      instrumentationScope: scope,
      droppedAttributesCount: 0,
    };
  };
  return (lines) =>
    new Promise((resolve) => {
      exporter.export(lines.map(recordOf), ({ code, error }) => {
        if (code === ExportResultCode.SUCCESS) return resolve(null);
        const status = error !== undefined && 'code' in error ? Number(error.code) : Number.NaN;
        return resolve({
          reason: `the collector has not taken it: ${error?.message ?? 'no reason given'}`,
          status: Number.isInteger(status) ? status : null,
        });
      });
    });
}
