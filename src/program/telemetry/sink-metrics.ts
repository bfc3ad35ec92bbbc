import { Counter, Gauge, type Registry } from 'prom-client';
import { SINK_FATES, type SinkFate } from '../../domain/sinks.ts';

/** Counts what becomes of records for sinks, which the config file names. */
export class SinkMetrics {
  readonly #records: Counter<'sink' | 'result'>;
  readonly #waiting = new Map<string, () => number>();

  constructor(registry: Registry) {
    const registers = [registry];
    this.#records = new Counter({
      name: 'faregate_sink_records_total',
      help: 'Prompts and answers, and refusals, for sinks: delivered, or dropped, by why they were.',
      labelNames: ['sink', 'result'],
      registers,
    });
    const waiting = this.#waiting;
    const gauge = new Gauge({
      name: 'faregate_sink_waiting_bytes',
      help: 'Bytes of prompts and answers that wait for a sink.',
      labelNames: ['sink'],
      registers: [],
      collect() {
        for (const [sink, read] of waiting) this.set({ sink }, read());
      },
    });
    registry.registerMetric(gauge);
  }

  /** Has the series of a sink from now on. */
  watch(sink: string, waitingBytes: () => number): void {
    this.#waiting.set(sink, waitingBytes);
    for (const result of SINK_FATES) this.#records.inc({ sink, result }, 0);
  }

  /** So many records for a sink were delivered, or dropped. */
  recordsAre(sink: string, result: SinkFate, records: number): void {
    this.#records.inc({ sink, result }, records);
  }
}
