import { type Aggregator, Gauge, type Registry } from 'prom-client';
import { type ProviderStanding, ROUTE_STATES } from '../../gate/upstreams/health/standing.ts';

/** Values read at the moment of a scrape. */
export interface Readings {
  readonly spending: () => {
    /** Receipts that aren't durable yet. */
    readonly unsettled: number;
    /** Holds that have not closed. */
    readonly openHolds: number;
    /** Requests that wait for money that others hold. */
    readonly waitingHolds: number;
    /** Whether this process may place holds. */
    readonly isLive: boolean;
  };
  /** Bytes of bodies in memory. */
  readonly bufferedBytes: () => number;
  /** Open connections of callers, and requests in progress. */
  readonly server: () => { readonly connections: number; readonly running: number };
  /** Statements of requests that wait for a connection to the database. */
  readonly waitingStatements: () => number;
  /** Refusals since the start that were not recorded. */
  readonly unrecordedRefusals: () => number;
  /** Differences of the last ledger check. */
  readonly ledgerDifferences: () => number;
  /** Scheduled work that fails or is overdue, and when the last scheduled backup was completed; 0: never. */
  readonly scheduledWork: () => { readonly problems: number; readonly lastBackupSeconds: number };
  /** The state of each provider. */
  readonly providers: () => Iterable<ProviderStanding>;
}

/** Adds the gauges of these readings. */
export function addGauges(registry: Registry, readings: Readings): void {
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
  const { spending, server } = readings;
  gauge('faregate_unsettled_receipts', 'Receipts that are not durable yet.', () => spending().unsettled);
  gauge('faregate_open_holds', 'Requests whose money is held.', () => spending().openHolds);
  gauge(
    'faregate_waiting_holds',
    'Requests that wait for money: for that of other holds, or for a draw from the database.',
    () => spending().waitingHolds,
  );
  gauge(
    'faregate_live_epochs',
    'Processes that may spend: their leases are alive. Less than there are processes: some refuse requests with 503.',
    () => Number(spending().isLive),
  );
  gauge('faregate_processes', 'Processes that serve requests.', () => 1);
  gauge('faregate_buffered_bytes', 'Bytes of request bodies in memory.', readings.bufferedBytes);
  gauge(
    'faregate_waiting_statements',
    'Statements of requests that wait for a connection to the database.',
    readings.waitingStatements,
  );
  gauge(
    'faregate_unrecorded_refusals',
    'Refusals since the start that were not recorded: there were too many, or the database was away.',
    readings.unrecordedRefusals,
  );
  gauge('faregate_connections', 'Open connections of callers.', () => server().connections);
  gauge('faregate_running_requests', 'Requests whose answers have not ended.', () => server().running);
  gauge(
    'faregate_ledger_differences',
    'Differences of the last ledger check. Above zero, run "faregate ledger verify".',
    readings.ledgerDifferences,
    // All processes report the same check.
    'max',
  );
  const { scheduledWork } = readings;
  gauge(
    'faregate_scheduled_work_problems',
    'Scheduled work (backups, dropping what is too old) that fails or is overdue. Above zero, see "faregate status".',
    () => scheduledWork().problems,
    'max',
  );
  gauge(
    'faregate_last_backup_timestamp_seconds',
    'When the last scheduled backup was completed; 0: never.',
    () => scheduledWork().lastBackupSeconds,
    'max',
  );
  addProviderGauges(registry, readings.providers);
}

/** Gauges with values for each provider, read at each scrape. */
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
  const routesByState = new Gauge({
    name: 'faregate_routes',
    help: "A provider's routes that were tried, by state.",
    labelNames: ['provider', 'state'],
    registers: [],
    collect() {
      this.reset();
      for (const { name: provider, routes } of standings()) {
        for (const state of ROUTE_STATES) {
          this.set({ provider, state }, routes.filter((route) => route.state === state).length);
        }
      }
    },
  });
  registry.registerMetric(routesByState);
}
