import { getHeapStatistics, type HeapInfo } from 'node:v8';
import { AggregatorRegistry, collectDefaultMetrics, Counter, Registry } from 'prom-client';
import { type Dialect, type Outcome, OUTCOMES } from '../../domain/receipt.ts';
import { REFUSALS } from '../../domain/refusals.ts';
import type { RefusedRequest } from '../../domain/refused-request.ts';
import type { AttemptFault, EndedRequest, Observer } from '../../gate/gateway/observer.ts';
import type { Failure } from '../../gate/gateway/recent-failures.ts';
import type { RouteName } from '../../gate/upstreams/health/health.ts';
import type { UpstreamFault } from '../../gate/upstreams/upstream.ts';
import { addGauges, type Readings } from './gauges.ts';
import { SinkMetrics } from './sink-metrics.ts';
import { DurationHistogram, type Durations, type Sum, Sums } from './series.ts';
import { SPAN_FATES, type SpanFate } from './span-fate.ts';
import { UsageMetrics } from './usage-metrics.ts';

// Metrics for operators. Labels have few values each: providers of the config file, and words of this program; never a key, a
// workspace, a model, or anything that callers write.

export const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

/** How plain calls end, or streams: by outcome, and after how long. */
interface Endings {
  readonly ended: ReadonlyMap<Outcome, Sum>;
  readonly duration: Durations;
}

/**
 * Counts allocated bytes of the heap: a request's cost in memory, independent of the machine's load. V8 adds its free
 * young space, some megabytes at most, at each read. Before Node 26 V8 doesn't count them.
 */
function countAllocations(registers: Registry[]): Counter {
  let counted = 0;
  return new Counter({
    name: 'nodejs_heap_allocated_bytes_total',
    help: 'Bytes that have been allocated in the JavaScript heap since the start.',
    registers,
    collect() {
      const heap: Partial<HeapInfo> = getHeapStatistics();
      const allocated = heap.total_allocated_bytes ?? 0;
      this.inc(allocated - counted);
      counted = allocated;
    },
  });
}

/** Has the series from the start, so that its first increase shows in a rate. */
function fromZero(series: Counter.Internal): Counter.Internal {
  series.inc(0);
  return series;
}

function admittedIn(registers: Registry[]): Sums<'outcome' | 'streamed'> {
  const [name, help] = ['faregate_requests_total', 'Requests that were admitted, by how they ended.'];
  return new Sums({ name, help, labelNames: ['outcome', 'streamed'], registers });
}

/** Of plain calls, and of streams. */
function endingsIn(ended: Sums<'outcome' | 'streamed'>, duration: DurationHistogram): [Endings, Endings] {
  const endings = (streamed: 'true' | 'false'): Endings => ({
    ended: new Map(OUTCOMES.map((outcome) => [outcome, ended.series([outcome, streamed])])),
    duration: duration.series(streamed),
  });
  return [endings('false'), endings('true')];
}

/** How often the delay of the event loop is measured. By default a timer wakes an idle process a hundred times a second for it. */
const LAG_EVERY_MS = 50;

/** Counts the events of the request path. */
export class Metrics implements Observer {
  readonly #registry = new Registry();
  readonly sinks = new SinkMetrics(this.#registry);
  readonly #refused: ReadonlyMap<string, Counter.Internal>;
  readonly #errors: ReadonlyMap<string, Counter.Internal>;
  readonly #usage: UsageMetrics;
  readonly #settlement: Durations;
  readonly #retries: Counter<'dialect' | 'after'>;
  readonly #plainCalls: Endings;
  readonly #streams: Endings;
  readonly #firstEvent: Durations;
  readonly #forwarded = new Counter({
    name: 'faregate_forwarded_requests_total',
    help: 'Requests of moved workspaces that were forwarded, by the cell and the status of its answer.',
    labelNames: ['cell', 'status'],
    registers: [this.#registry],
  });
  readonly #attemptFaults: Counter<'provider' | 'fault'>;
  readonly #routeRests: Counter<'provider' | 'fault'>;
  readonly #settlementFaults: Counter;
  readonly #lostResponses: Counter;
  readonly #failures: Counter;
  readonly #connectionsRefused: Counter<'limit'>;
  readonly #spans: Counter<'result'>;
  readonly #pushes: Counter<'result'>;

  constructor() {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry, eventLoopMonitoringPrecision: LAG_EVERY_MS });
    countAllocations(registers);
    const count = <Label extends string>(name: string, help: string, ...labelNames: Label[]): Counter<Label> =>
      new Counter({ name, help, labelNames, registers });
    const seconds = (name: string, help: string, ...labelNames: string[]): DurationHistogram =>
      new DurationHistogram({ name, help, labelNames, buckets: SECONDS, registers });
    const refusals = count('faregate_refusals_total', 'Requests refused before any attempt, by error code.', 'code');
    this.#refused = new Map(Object.keys(REFUSALS).map((code) => [code, refusals.labels(code)]));
    const errors = count(
      'faregate_errors_total',
      'Errors that callers of the API got, by code: refusals, and failures of attempts.',
      'code',
    );
    this.#errors = new Map(Object.keys(REFUSALS).map((code) => [code, fromZero(errors.labels(code))]));
    this.#usage = new UsageMetrics(this.#registry, SECONDS);
    this.#settlement = seconds(
      'faregate_settlement_seconds',
      'From the end of an answer until its receipt is durable.',
    ).series();
    this.#retries = count(
      'faregate_retries_total',
      'Requests with the same key and body as one that had failed within the minute before, by how that one failed.',
      'dialect',
      'after',
    );
    [this.#plainCalls, this.#streams] = endingsIn(
      admittedIn(registers),
      seconds('faregate_request_duration_seconds', 'From the request to the end of its answer.', 'streamed'),
    );
    this.#firstEvent = seconds(
      'faregate_first_event_seconds',
      "From a stream's request to its first data event.",
    ).series();
    const byFault = (name: string, help: string): Counter<'provider' | 'fault'> =>
      count(name, help, 'provider', 'fault');
    this.#attemptFaults = byFault(
      'faregate_attempt_faults_total',
      'Attempts that failed, by provider and kind of fault.',
    );
    this.#routeRests = byFault(
      'faregate_route_rests_total',
      'How often a route began to rest, by provider and kind of fault.',
    );
    this.#settlementFaults = count(
      'faregate_settlement_faults_total',
      'Receipts that the database rejected permanently. Above zero, examine them in quarantined_receipts.',
    );
    this.#lostResponses = count(
      'faregate_lost_responses_total',
      'Responses that could not be kept for later requests; their callers have them.',
    );
    this.#failures = count('faregate_internal_errors_total', 'Requests that failed because of a bug of this program.');
    this.#connectionsRefused = count(
      'faregate_connections_refused_total',
      'Connections refused because the limit of all, or of their address, was reached.',
      'limit',
    );
    this.#spans = count('faregate_spans_total', 'Spans of traces: exported, or dropped, by why they were.', 'result');
    this.#pushes = count(
      'faregate_metric_pushes_total',
      'Pushes of these metrics to a collector, by result.',
      'result',
    );
    for (const result of SPAN_FATES) this.#spans.inc({ result }, 0);
    for (const limit of ['all', 'address']) this.#connectionsRefused.inc({ limit }, 0);
  }

  /** Adds what is read at the moment of a scrape, once there is something to read. */
  watch(readings: Readings): void {
    addGauges(this.#registry, readings);
  }

  refused({ refusal }: RefusedRequest): void {
    this.#refused.get(refusal.code)?.inc();
    this.#errors.get(refusal.code)?.inc();
  }

  retried(dialect: Dialect, how: Failure): void {
    this.#retries.inc({ dialect, after: how });
  }

  ended(request: EndedRequest, settlementMs: number): void {
    const { outcome, streamed, durationMs, firstEventMs, attempts } = request.receipt;
    // If no route could be tried, its refusal has been counted.
    if (request.code !== null && attempts.length > 0) this.#errors.get(request.code)?.inc();
    this.#settlement.observe(settlementMs / 1_000);
    this.#usage.ended(request);
    const numbers = streamed ? this.#streams : this.#plainCalls;
    numbers.ended.get(outcome)?.inc();
    numbers.duration.observe(durationMs / 1_000);
    if (streamed && firstEventMs !== null) this.#firstEvent.observe(firstEventMs / 1_000);
  }

  attemptFailed(_requestId: string, provider: string, fault: AttemptFault): void {
    this.#attemptFaults.inc({ provider, fault: fault.kind });
  }

  routeRests({ provider }: RouteName, { kind }: UpstreamFault): void {
    this.#routeRests.inc({ provider, fault: kind });
  }

  routeIsBack(): void {
    // Resting routes are read at the moment of a scrape.
  }

  settlementFailed(): void {
    this.#settlementFaults.inc();
  }

  responseLost(): void {
    this.#lostResponses.inc();
  }

  failed(): void {
    this.#failures.inc();
  }

  forwarded(cell: string, status: number | null): void {
    this.#forwarded.inc({ cell, status: status === null ? 'none' : String(status) });
  }

  /** A connection was refused by a limit: of all, or of its address. */
  connectionRefused(limit: 'all' | 'address'): void {
    this.#connectionsRefused.inc({ limit });
  }

  /** So many spans were exported, or dropped. */
  spansAre(result: SpanFate, spans: number): void {
    this.#spans.inc({ result }, spans);
  }

  /** The metrics were pushed to a collector, which has taken them or not. */
  pushed(isTaken: boolean): void {
    this.#pushes.inc({ result: isTaken ? 'exported' : 'export_failed' });
  }

  /** All metrics, for `renderTogether`. */
  snapshot(): Promise<readonly object[]> {
    return this.#registry.getMetricsAsJSON();
  }

  /** All metrics in the text format of Prometheus. */
  render(): Promise<string> {
    return this.#registry.metrics();
  }

  /** The media type of that text. */
  get contentType(): string {
    return this.#registry.contentType;
  }
}

/** The metrics of several processes, added up, in the same text format. */
export function renderTogether(snapshots: readonly (readonly object[])[]): Promise<string> {
  return AggregatorRegistry.aggregate([...snapshots]).metrics();
}

/** The sums of the counters of ended processes, without gauges. */
export async function addCounts(snapshots: readonly (readonly object[])[]): Promise<readonly object[]> {
  const metrics = await AggregatorRegistry.aggregate([...snapshots]).getMetricsAsJSON();
  return metrics.filter(({ type }) => ['counter', 'histogram'].includes(String(type)));
}
