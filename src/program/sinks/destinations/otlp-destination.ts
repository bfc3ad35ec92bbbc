import type { LogExport } from '../../telemetry/otlp/log-export.ts';
import { BatchRejected, type Destination, type LineBatch } from './destination.ts';

/** Answers of a collector that will never take what it was sent. */
const FINAL = new Set([400, 413, 422]);

/** A collector of OpenTelemetry: each line is the body of a log record. */
export class OtlpDestination implements Destination {
  readonly #export: LogExport;

  constructor(logExport: LogExport) {
    this.#export = logExport;
  }

  async write({ lines, workspaceId }: LineBatch): Promise<void> {
    const failure = await this.#export(lines.map((body) => ({ body, workspaceId })));
    if (failure === null) return;
    const { reason, status } = failure;
    throw status !== null && FINAL.has(status) ? new BatchRejected(reason) : new Error(reason);
  }
}
