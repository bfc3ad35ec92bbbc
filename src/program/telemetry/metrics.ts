import { getHeapStatistics, type HeapInfo } from 'node:v8';
import {
  type Aggregator,
  AggregatorRegistry,
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
} from 'prom-client';
import { type Dialect, type Outcome, OUTCOMES } from '../../domain/receipt.ts';
import { REFUSALS } from '../../domain/refusals.ts';
import type { RefusedRequest } from '../../domain/refused-request.ts';
import type { AttemptFault, EndedRequest, Observer } from '../../gate/gateway/observer.ts';
import type { Failure } from '../../gate/gateway/recent-failures.ts';
import type { RouteName } from '../../gate/upstreams/health/health.ts';
import type { ProviderStanding } from '../../gate/upstreams/health/standing.ts';
import type { UpstreamFault } from '../../gate/upstreams/upstream.ts';

// Metrics for operators. Labels have few values each: never a key, a workspace or a model.

/** Values read at the moment of a scrape. */
export interface Readings {
  /** Receipts that aren't durable yet, and holds that have not closed. */
  readonly spending: () => { readonly unsettled: number; readonly openHolds: number };
  /** Bytes of bodies in memory. */
  readonly bufferedBytes: () => number;
  /** Open connections of callers, and requests whose answers have not ended. */
  readonly server: () => { readonly connections: number; readonly running: number };
  /** Refusals since the start that were not recorded. */
  readonly unrecordedRefusals: () => number;
  /** Differences of the last ledger check. */
  readonly ledgerDifferences: () => number;
  /** The state of each provider. */
  readonly providers: () => Iterable<ProviderStanding>;
}

/** Values read at the moment of a scrape. */
function addGauges(registry: Registry, readings: Readings): void {
  const gauge = (name: string, help: string, read: () => number, aggregator: Aggregator = 'sum'): Gauge =>
    new Gauge({
      aggregator,
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  gauge('faregate_unsettled_receipts', 'Receipts that are not durable yet.', () => readings.spending().unsettled);
  gauge('faregate_buffered_bytes', 'Bytes of request bodies in memory.', readings.bufferedBytes);
  gauge(
    'faregate_unrecorded_refusals',
    'Refusals since the start that were not recorded: there were too many, or the database was away.',
    readings.unrecordedRefusals,
  );
  gauge('faregate_connections', 'Open connections of callers.', () => readings.server().connections);
  gauge('faregate_running_requests', 'Requests whose answers have not ended.', () => readings.server().running);
  gauge('faregate_open_holds', 'Requests whose money is held.', () => readings.spending().openHolds);
  gauge(
    'faregate_ledger_differences',
    'Differences of the last ledger check. Above zero, run "faregate ledger verify".',
    readings.ledgerDifferences,
    // All processes report the same check.
    'max',
  );
  addProviderGauges(registry, readings.providers);
}

/** A gauge with one value per provider, read at each scrape. */
function addProviderGauges(registry: Registry, standings: Readings['providers']): void {
  const gauge = (name: string, help: string, read: (standing: ProviderStanding) => number): Gauge<'provider'> =>
    new Gauge({
      name,
      help,
      labelNames: ['provider'],
      registers: [registry],
      collect() {
        this.reset();
        for (const standing of standings()) this.set({ provider: standing.name }, read(standing));
      },
    });
  gauge('faregate_provider_attempts', 'Attempts under way at a provider.', ({ running }) => running);
  gauge(
    'faregate_routes_resting',
    "A provider's routes that rest.",
    ({ routes }) => routes.filter(({ isSkipped }) => isSkipped).length,
  );
  gauge(
    'faregate_provider_key_refused',
    'Above zero, a provider rejects the configured API key: correct it.',
    ({ isKeyRefused }) => Number(isKeyRefused),
  );
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

/** How plain calls end, or streams: by outcome, and after how long. */
interface Endings {
  readonly ended: ReadonlyMap<Outcome, Counter.Internal>;
  readonly duration: Histogram.Internal<'streamed'>;
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

function countRetries(registers: Registry[]): Counter<'dialect' | 'after'> {
  return new Counter({
    name: 'faregate_retries_total',
    help: 'Requests with the same key and body as one that had failed within the minute before, by how that one failed.',
    labelNames: ['dialect', 'after'],
    registers,
  });
}

/** Counts the events of the request path. */
export class Metrics implements Observer {
  readonly #registry = new Registry();
  readonly #refused: ReadonlyMap<string, Counter.Internal>;
  readonly #retries: Counter<'dialect' | 'after'>;
  readonly #plainCalls: Endings;
  readonly #streams: Endings;
  readonly #firstEvent: Histogram;
  readonly #attemptFaults: Counter<'provider' | 'fault'>;
  readonly #routeRests: Counter<'provider' | 'fault'>;
  readonly #settlementFaults: Counter;
  readonly #lostResponses: Counter;
  readonly #failures: Counter;
  readonly #connectionsRefused: Counter<'limit'>;

  constructor(readings: Readings) {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    countAllocations(registers);
    const count = (name: string, help: string): Counter => new Counter({ name, help, registers });
    const refusals = new Counter({
      name: 'faregate_refusals_total',
      help: 'Requests refused before any attempt, by error code.',
      labelNames: ['code'],
      registers,
    });
    this.#refused = new Map(Object.keys(REFUSALS).map((code) => [code, refusals.labels(code)]));
    this.#retries = countRetries(registers);
    const ended = new Counter({
      name: 'faregate_requests_total',
      help: 'Requests that reached an upstream, by how they ended.',
      labelNames: ['outcome', 'streamed'],
      registers,
    });
    const duration = new Histogram({
      name: 'faregate_request_duration_seconds',
      help: 'From the request to its settlement.',
      labelNames: ['streamed'],
      buckets: SECONDS,
      registers,
    });
    const endings = (streamed: 'true' | 'false'): Endings => ({
      ended: new Map(OUTCOMES.map((outcome) => [outcome, ended.labels(outcome, streamed)])),
      duration: duration.labels(streamed),
    });
    this.#plainCalls = endings('false');
    this.#streams = endings('true');
    this.#firstEvent = new Histogram({
      name: 'faregate_first_event_seconds',
      help: "From a stream's request to its first data event.",
      buckets: SECONDS,
      registers,
    });
    this.#attemptFaults = new Counter({
      name: 'faregate_attempt_faults_total',
      help: 'Attempts that failed, by provider and kind of fault.',
      labelNames: ['provider', 'fault'],
      registers,
    });
    this.#routeRests = new Counter({
      name: 'faregate_route_rests_total',
      help: 'How often a route began to rest, by provider and kind of fault.',
      labelNames: ['provider', 'fault'],
      registers,
    });
    this.#settlementFaults = count(
      'faregate_settlement_faults_total',
      'Receipts that the database rejected permanently. Above zero, examine them in quarantined_receipts.',
    );
    this.#lostResponses = count(
      'faregate_lost_responses_total',
      'Responses that could not be kept for later requests; their callers have them.',
    );
    this.#failures = count('faregate_internal_errors_total', 'Requests that failed because of a bug of this program.');
    this.#connectionsRefused = new Counter({
      name: 'faregate_connections_refused_total',
      help: 'Connections refused because the limit of all, or of their address, was reached.',
      labelNames: ['limit'],
      registers,
    });
    addGauges(this.#registry, readings);
  }

  refused({ refusal }: RefusedRequest): void {
    this.#refused.get(refusal.code)?.inc();
  }

  retried(dialect: Dialect, how: Failure): void {
    this.#retries.inc({ dialect, after: how });
  }

  ended({ outcome, streamed, durationMs, firstEventMs }: EndedRequest): void {
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

  /** A connection was refused by a limit: of all, or of its address. */
  connectionRefused(limit: 'all' | 'address'): void {
    this.#connectionsRefused.inc({ limit });
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
