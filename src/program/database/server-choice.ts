import pg from 'pg';
import type { Clock } from '../../lib/clock.ts';
import type { PostgresAddress, PostgresServer } from '../../lib/postgres-address.ts';
import { type DatabaseConnection, isResponsive, Sockets, socketConfig } from './connection.ts';
import { addressOf, type FoundServer, onlyWayOf, requireWanted, SearchFault, searchServer } from './server-search.ts';

/** After a search that found nothing, the next one waits for this time, so that retries don't storm the servers. */
const REST_MS = 200;

/**
 * The server that a pool connects to. It is searched before the first connection, and again when one fails: then another
 * server may have taken over, or a certificate has been renewed. A single server with one kind of connection needs no search.
 */
export class ServerChoice {
  readonly #clock: Pick<Clock, 'after'>;
  /** Null: there is no choice. */
  readonly #address: PostgresAddress | null;
  #found: FoundServer | null = null;
  #settings: pg.ClientConfig | null;
  #search: Promise<void> | null = null;
  readonly #onFound: (settings: pg.ClientConfig) => void;
  #sockets = new Sockets();

  /** `onFound` is called with the settings for each server that a search finds. */
  constructor(
    connection: DatabaseConnection,
    clock: Pick<Clock, 'after'>,
    onFound: (settings: pg.ClientConfig) => void,
  ) {
    this.#clock = clock;
    this.#onFound = onFound;
    if ('url' in connection) {
      const address = addressOf(connection.url);
      const only = onlyWayOf(address);
      this.#address = only === null ? address : null;
      this.#settings = only?.settings ?? null;
    } else {
      this.#address = null;
      this.#settings = socketConfig(connection);
    }
  }

  /** The driver's settings for the chosen server; null: none has been found yet. */
  get settings(): pg.ClientConfig | null {
    return this.#settings;
  }

  /** Whether a connection that fails may succeed at another server. */
  get hasChoice(): boolean {
    return this.#address !== null;
  }

  /** Refuses a new connection to a server that isn't the wanted one any more. @throws ServerUnwanted */
  async check(client: pg.ClientBase): Promise<void> {
    if (this.#address !== null) await requireWanted(client, this.#address.wanted);
  }

  /** Searches a server, once for all who ask. @throws the driver's error if none is found */
  search(withinMs: number): Promise<void> {
    this.#search ??= this.#searchOnce(withinMs);
    return this.#search;
  }

  /** Ends the search in progress. */
  bar(): void {
    this.#sockets.bar();
  }

  /**
   * Whether a server sends any response within this time, even a refusal; `moved`: another one than before is there. While the
   * chosen one is in use it is tried first, so that no other one takes up its time. Never rejects.
   */
  async probe(withinMs: number, isInUse: boolean): Promise<'away' | 'there' | 'moved'> {
    const { settings } = this;
    if (this.#address === null && settings !== null) {
      return (await isResponsive(settings, withinMs, this.#clock)) ? 'there' : 'away';
    }
    const before = this.#found?.way.server;
    try {
      await this.#find(withinMs, new Sockets(), isInUse ? before : undefined);
    } catch (error) {
      return isRefusal(error) ? 'there' : 'away';
    }
    return before === undefined || before === this.#found?.way.server ? 'there' : 'moved';
  }

  async #searchOnce(withinMs: number): Promise<void> {
    this.#sockets = new Sockets();
    try {
      await this.#find(withinMs, this.#sockets);
      this.#search = null;
    } catch (error) {
      this.#clock.after(REST_MS, () => (this.#search = null));
      throw error;
    }
  }

  async #find(withinMs: number, sockets: Sockets, first?: PostgresServer): Promise<void> {
    if (this.#address === null) return;
    this.#found = await searchServer(this.#address, { withinMs, sockets, clock: this.#clock, first });
    this.#settings = this.#found.settings;
    this.#onFound(this.#settings);
  }
}

/** Whether a single server, or one of several that is overloaded, has refused the connection. */
function isRefusal(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return true;
  return error instanceof SearchFault && error.cause instanceof pg.DatabaseError;
}
