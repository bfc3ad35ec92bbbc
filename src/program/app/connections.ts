import { connectionsWithin, openFilesFor } from '../../lib/open-files.ts';
import type { ServerConfig } from '../../config/config.ts';
import { type ConnectionLimit, ConnectionQuota, type RefusedConnection } from '../http/connection-quota.ts';
import type { Clock } from '../../lib/clock.ts';
import { throttle } from '../../lib/throttle.ts';
import type { Log } from '../telemetry/log.ts';

const LOG_EVERY_MS = 10_000;
/** How long a refused connection is reported as a problem. */
const PROBLEM_MS = 60_000;

const ADVICE: Readonly<Record<ConnectionLimit, string>> = {
  all: 'the limit of open connections is reached: raise server.connections_max, or find the addresses that open so many',
  address:
    'one address has reached its limit of connections: if it is your proxy, raise server.connections_per_address_max',
};

interface CallerConnectionsParts {
  readonly clock: Clock;
  readonly log: Log;
  /** Called for each refused connection. */
  readonly onRefused: (limit: ConnectionLimit) => void;
  /** The most files and sockets that this process may have open. */
  readonly openFilesMax: number;
}

/** The limits of callers' connections to this process, and their report to the operator. */
export class CallerConnections {
  readonly quota: ConnectionQuota;
  readonly #clock: Clock;
  readonly #refused = new Map<ConnectionLimit, { readonly address: string; readonly atMs: number }>();
  readonly #shortage: string | null;

  constructor(
    { connectionsMax: configured, connectionsPerAddressMax }: ServerConfig,
    { clock, log, onRefused, openFilesMax }: CallerConnectionsParts,
  ) {
    this.#clock = clock;
    const connectionsMax = Math.min(configured, connectionsWithin(openFilesMax));
    this.#shortage =
      connectionsMax < configured
        ? `server.connections_max is ${configured}, but this process may open only ${openFilesMax} files and so accepts ${connectionsMax} connections: raise its limit of open files to ${openFilesFor(configured)} (ulimit -n).`
        : null;
    if (this.#shortage !== null) log.warn({ event: 'open_files_short' }, this.#shortage);
    const warn = (refused: RefusedConnection): void =>
      log.warn({ event: 'connections_refused', ...refused }, ADVICE[refused.limit]);
    const logRefusal = {
      all: throttle(clock, LOG_EVERY_MS, warn),
      address: throttle(clock, LOG_EVERY_MS, warn),
    };
    const perAddressMax = connectionsPerAddressMax ?? Math.ceil(connectionsMax / 2);
    this.quota = new ConnectionQuota({ connectionsMax, connectionsPerAddressMax: perAddressMax }, (refused) => {
      this.#refused.set(refused.limit, { address: refused.address, atMs: clock.monotonicMs() });
      onRefused(refused.limit);
      logRefusal[refused.limit](refused);
    });
  }

  /** Problems for the operator, one sentence each. */
  get problems(): readonly string[] {
    const nowMs = this.#clock.monotonicMs();
    const refused = [...this.#refused].filter(([, { atMs }]) => nowMs - atMs < PROBLEM_MS);
    const sentences = refused.map(
      ([limit, { address }]) =>
        `Connections${limit === 'address' ? ` of ${address}` : ''} are refused: ${ADVICE[limit]}.`,
    );
    return this.#shortage === null ? sentences : [this.#shortage, ...sentences];
  }
}
