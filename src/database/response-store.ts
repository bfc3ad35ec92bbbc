import type { ListedInput } from '../dialects/dialect.ts';
import type { KeptResponse, ResponseStore, StoredChain, StoredItems } from '../gateway/response-store.ts';
import { BulkheadFull } from '../lib/bulkhead.ts';
import type { Clock } from '../lib/clock.ts';
import { SharedPlaces } from '../lib/shared-places.ts';
import { BRIEF, DatabaseUnavailable, type Sql, type SqlRunner, type SqlValue, UNHURRIED } from '../lib/sql.ts';
import type { StoreLimits } from './keep-arguments.ts';
import type { ResponseKeeper } from './response-keeper.ts';

/** More requests than a conversation has that fits into a body. */
const CHAIN_LENGTH_MAX = 4_096;

/** No id that is kept is any other: `idOf` in dialects/responses/response-entry.ts. */
const ID = /^[\x21-\x7e]{1,256}$/;

const FREQUENT = { ...BRIEF, isFrequent: true };

const CHAIN = 'select * from find_response_chain($1, $2, $3, $4)';
const INPUT = 'select * from find_response_input($1, $2, $3, $4)';
const ITEMS = 'select * from find_response_items($1, $2, $3)';
const READ = 'select piece from read_response($1, $2)';
const DELETE = 'select delete_response($1, $2) as deleted';

/** How many conversations are read at a time, of a workspace and in all: each may be as long as a body. */
const READS_OF_WORKSPACE = 2;
const READS = 4;
const WAITING_MAX = 200;
const WAIT_MS_MAX = 2_000;

interface ChainRow {
  readonly request_id: string;
  readonly previous_request_id: string | null;
  readonly piece: Buffer | null;
}

interface InputRow {
  readonly request_id: string;
  readonly is_too_large: boolean;
  readonly piece: Buffer | null;
}

/**
 * Responses in PostgreSQL; each read is one statement, which waits until there is a place for another of its workspace's.
 */
export class PostgresResponseStore implements ResponseStore {
  readonly #sql: SqlRunner;
  readonly #control: SqlRunner;
  readonly #keeper: ResponseKeeper;
  readonly #reads: SharedPlaces;
  limits: StoreLimits;

  constructor(parts: {
    readonly sql: SqlRunner;
    /** For what no paid request waits for. */
    readonly control: SqlRunner;
    readonly keeper: ResponseKeeper;
    readonly clock: Pick<Clock, 'after'>;
    readonly limits: StoreLimits;
  }) {
    this.#sql = parts.sql;
    this.#control = parts.control;
    this.#keeper = parts.keeper;
    this.#reads = new SharedPlaces({
      clock: parts.clock,
      places: READS,
      placesOfParty: READS_OF_WORKSPACE,
      waitingMax: WAITING_MAX,
      waitMsMax: WAIT_MS_MAX,
    });
    this.limits = parts.limits;
  }

  get keepMs(): number {
    return this.limits.keepMs;
  }

  async findChain(
    workspaceId: string,
    responseId: string,
    bytesMax: number,
  ): Promise<StoredChain | 'missing' | 'too_large'> {
    if (!ID.test(responseId)) return 'missing';
    const rows = await this.#find<ChainRow>(CHAIN, [workspaceId, responseId, bytesMax, CHAIN_LENGTH_MAX]);
    const [oldest] = rows;
    if (oldest === undefined) return 'missing';
    if (oldest.piece === null) return 'too_large';
    return oldest.previous_request_id === null ? chainOf(rows) : 'missing';
  }

  async findItems(
    workspaceId: string,
    itemIds: readonly string[],
    bytesMax: number,
  ): Promise<StoredItems | 'too_large'> {
    const wanted = [...new Set(itemIds)].filter((id) => ID.test(id));
    const rows = await this.#find<{ item_id: string; request_id: string; item: Buffer | null }>(ITEMS, [
      workspaceId,
      wanted,
      bytesMax,
    ]);
    const items = new Map<string, Buffer>();
    for (const { item_id: id, item } of rows) {
      if (item === null) return 'too_large';
      items.set(id, item);
    }
    return { items, requestIds: [...new Set(rows.map((row) => row.request_id))] };
  }

  async findInput(
    workspaceId: string,
    responseId: string,
    bytesMax: number,
  ): Promise<readonly ListedInput[] | 'missing' | 'too_large'> {
    if (!ID.test(responseId)) return 'missing';
    const rows = await this.#control.query<InputRow>(
      INPUT,
      [workspaceId, responseId, bytesMax, CHAIN_LENGTH_MAX],
      BRIEF,
    );
    const [first] = rows;
    if (first === undefined) return 'missing';
    return first.is_too_large ? 'too_large' : inputsOf(rows);
  }

  async read(workspaceId: string, responseId: string): Promise<readonly Buffer[] | null> {
    if (!ID.test(responseId)) return null;
    const rows = await this.#control.query<{ piece: Buffer }>(READ, [workspaceId, responseId], BRIEF);
    return rows.length === 0 ? null : rows.map(({ piece }) => piece);
  }

  async delete(workspaceId: string, responseId: string): Promise<boolean> {
    if (!ID.test(responseId)) return false;
    const [row] = await this.#control.query<{ deleted: boolean }>(DELETE, [workspaceId, responseId], BRIEF);
    if (row?.deleted !== true) return false;
    this.#keeper.madeRoom(workspaceId);
    return true;
  }

  /** What a request of the workspace, which is the first value, goes on from. */
  async #find<Row extends object>(text: string, values: readonly [string, ...SqlValue[]]): Promise<readonly Row[]> {
    try {
      return await this.#reads.run(values[0], () => this.#sql.query<Row>(text, values, FREQUENT));
    } catch (fault) {
      if (!(fault instanceof BulkheadFull)) throw fault;
      throw new DatabaseUnavailable('too many conversations are being read', { cause: fault });
    }
  }

  keepsFor(workspaceId: string): boolean {
    return this.keepMs > 0 && !this.#keeper.isFull(workspaceId, this.limits);
  }

  async keep(response: KeptResponse): Promise<boolean> {
    return this.keepMs > 0 && (await this.#keeper.keep(response, this.limits));
  }
}

const COMMA = Buffer.from(',');

function chainOf(rows: readonly ChainRow[]): StoredChain {
  const items: Buffer[] = [];
  const requestIds: string[] = [];
  for (const { request_id: requestId, piece } of rows) {
    if (requestIds.at(-1) !== requestId) {
      if (requestIds.length > 0) items.push(COMMA);
      requestIds.push(requestId);
    }
    if (piece !== null) items.push(piece);
  }
  return { items, requestIds };
}

function inputsOf(rows: readonly InputRow[]): readonly ListedInput[] {
  const inputs: { readonly requestId: string; readonly pieces: Buffer[] }[] = [];
  for (const { request_id: requestId, piece } of rows) {
    if (inputs.at(-1)?.requestId !== requestId) inputs.push({ requestId, pieces: [] });
    if (piece !== null) inputs.at(-1)?.pieces.push(piece);
  }
  return inputs;
}

const PRUNED_AT_ONCE = 100;
const PRUNE = 'select prune_responses($1) as deleted';

const COUNT = `
  with had as (
    select workspace_id, sum(octet_length(items)::bigint + octet_length(response)) as bytes from stored_responses group by 1
  ), gone as (
    delete from stored_response_bytes where workspace_id not in (select workspace_id from had)
  )
  insert into stored_response_bytes (workspace_id, bytes) select workspace_id, bytes from had order by workspace_id
  on conflict (workspace_id) do update set bytes = excluded.bytes`;

/**
 * Deletes responses whose time is over, and those of workspaces that were closed, a few at a time, and counts what is left.
 * What is kept while it counts may be missing until the next time.
 */
export async function pruneResponses(sql: Sql): Promise<void> {
  let deleted = PRUNED_AT_ONCE;
  while (deleted === PRUNED_AT_ONCE) {
    const [row] = await sql.query<{ deleted: number }>(PRUNE, [PRUNED_AT_ONCE], UNHURRIED);
    deleted = row?.deleted ?? 0;
  }
  await sql.query(COUNT, [], UNHURRIED);
}
