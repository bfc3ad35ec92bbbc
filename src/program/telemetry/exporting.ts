import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ProviderConfig, TelemetryConfig } from '../../config/config.ts';
import { NO_TRACES, type Tracer } from '../../gate/gateway/request-trace.ts';
import type { Clock } from '../../lib/clock.ts';
import { orAfter } from '../../lib/pause.ts';
import { throttle } from '../../lib/throttle.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Export } from './otlp/start-export.ts';

/** How long a stop waits for what is exported last. */
const STOP_MS = 3_000;
const LOG_EVERY_MS = 60_000;

interface ExportingParts {
  readonly metrics: Pick<Metrics, 'snapshot' | 'spansAre' | 'pushed'>;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Traces and metrics for a collector of OpenTelemetry, as configured; nothing without one. The packages for it are loaded at
 * the first configuration that has a collector.
 */
export class Exporting {
  readonly #parts: ExportingParts;
  readonly #processId = randomUUID();
  readonly #onFault: (fault: unknown) => void;
  #config: Pick<TelemetryConfig, 'otlp' | 'serviceName' | 'attributes'> | null = null;
  #export: Export | null = null;
  #tracer: Tracer = NO_TRACES;
  #pushTimer: NodeJS.Timeout | null = null;
  #stops: Promise<void>[] = [];

  constructor(parts: ExportingParts) {
    this.#parts = parts;
    this.#onFault = throttle(parts.clock, LOG_EVERY_MS, (fault) =>
      parts.log.warn(
        { event: 'telemetry_export_failed', err: fault },
        'traces or metrics could not be exported: examine telemetry.otlp and the collector; requests are served as ever',
      ),
    );
  }

  /** Of the configuration in force. */
  get tracer(): Tracer {
    return this.#tracer;
  }

  /** Exports as configured from now on. Running requests end in the traces in which they have begun. */
  async configure(config: TelemetryConfig, providers: readonly ProviderConfig[]): Promise<void> {
    const { otlp, serviceName, attributes, traces, metrics } = config;
    const target = { otlp, serviceName, attributes };
    if (!isDeepStrictEqual(target, this.#config)) await this.#exportTo(target);
    this.#config = target;
    this.#tracer = this.#export?.tracer(traces, providers) ?? NO_TRACES;
    if (this.#pushTimer !== null) clearInterval(this.#pushTimer);
    const { pushEveryMs } = metrics;
    const running = this.#export;
    if (running === null || pushEveryMs === 0) this.#pushTimer = null;
    else this.#pushTimer = setInterval(() => this.#push(running), pushEveryMs).unref();
  }

  /** Exports the last spans and figures, as far as the time for it suffices. */
  async stop(): Promise<void> {
    if (this.#pushTimer !== null) clearInterval(this.#pushTimer);
    const last = this.#export;
    this.#export = null;
    this.#tracer = NO_TRACES;
    if (last !== null) this.#stops.push(this.#stopLast(last));
    await Promise.all(this.#stops.splice(0));
  }

  async #exportTo({ otlp, ...config }: Pick<TelemetryConfig, 'otlp' | 'serviceName' | 'attributes'>): Promise<void> {
    const former = this.#export;
    // Requests that began earlier still end their spans in the previous export.
    if (former !== null) this.#stops.push(former.stop(STOP_MS));
    if (otlp === null) {
      this.#export = null;
      return;
    }
    const { metrics } = this.#parts;
    const { startExport } = await import('./otlp/start-export.ts');
    this.#export = startExport({
      otlp,
      config,
      processId: this.#processId,
      metrics: () => metrics.snapshot(),
      countSpans: (fate, spans) => metrics.spansAre(fate, spans),
      countPush: (isTaken) => metrics.pushed(isTaken),
      onFault: this.#onFault,
    });
  }

  async #stopLast(last: Export): Promise<void> {
    if (this.#pushTimer !== null) await orAfter(this.#parts.clock, last.push(), STOP_MS / 2);
    await last.stop(STOP_MS / 2);
  }

  #push(running: Export): void {
    running.push().catch(this.#onFault);
  }
}
