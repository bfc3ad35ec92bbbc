import type { ListedInput } from '../../gate/dialects/dialect.ts';
import type { Keyring } from '../../control/encryption/keyring.ts';
import type { KeptResponse, ResponseStore, StoredChain, StoredItems } from '../../gate/gateway/response-store.ts';
import { BulkheadFull } from '../../lib/bulkhead.ts';
import type { Clock } from '../../lib/clock.ts';
import { SharedPlaces } from '../../lib/shared-places.ts';
import {
  BRIEF,
  DatabaseUnavailable,
  FREQUENT,
  type Sql,
  type SqlRunner,
  type SqlValue,
  UNHURRIED,
} from '../../lib/sql.ts';
import type { StoreLimits } from './keep-arguments.ts';
import { decryptAnswer, decryptItems, decryptOutput, type StoredPart } from './kept-cipher.ts';
import type { ResponseKeeper } from './response-keeper.ts';

/** More requests than a conversation has that fits into a body. */
const CHAIN_LENGTH_MAX = 4_096;

/** No id that is kept is any other: `idOf` in dialects/responses/response-entry.ts. */
const ID = /^[\x21-\x7e]{1,256}$/;

const CHAIN = 'select * from find_response_chain($1, $2, $3, $4, $5)';
const ITEMS = 'select * from find_response_items($1, $2, $3)';
const READ = 'select * from read_response($1, $2)';
const DELETE = 'select delete_response($1, $2) as deleted';

/** How many conversations are read at a time, of a workspace and in all: each may be as long as a body. */
const READS_OF_WORKSPACE = 2;
const READS = 4;
const WAITING_MAX = 200;
const WAIT_MS_MAX = 2_000;

/** Of a response that is read in pieces, a row each. */
interface ItemsRow {
  readonly request_id: string;
  readonly input_length: number;
  readonly encrypted: boolean;
  readonly piece: Buffer | null;
}

interface ChainRow extends ItemsRow {
  readonly previous_request_id: string | null;
  readonly is_too_large: boolean;
}

interface ItemRow {
  readonly item_id: string;
  readonly request_id: string;
  readonly starts_at: number;
  readonly length: number;
  readonly encrypted: boolean;
  readonly is_too_large: boolean;
  readonly bytes: Buffer | null;
}

interface AnswerRow {
  readonly request_id: string;
  readonly encrypted: boolean;
  readonly piece: Buffer;
}

/**
 * Responses in PostgreSQL; each read is one statement, which waits until there is a place for another of its workspace's.
 */
export class PostgresResponseStore implements ResponseStore {
  readonly #sql: SqlRunner;
  readonly #control: SqlRunner;
  readonly #keeper: ResponseKeeper;
  readonly #keyring: Keyring;
  readonly #reads: SharedPlaces;
  limits: StoreLimits;

  constructor(parts: {
    readonly sql: SqlRunner;
    /** For what no paid request waits for. */
    readonly control: SqlRunner;
    readonly keeper: ResponseKeeper;
    readonly keyring: Keyring;
    readonly clock: Pick<Clock, 'after'>;
    readonly limits: StoreLimits;
  }) {
    this.#sql = parts.sql;
    this.#control = parts.control;
    this.#keeper = parts.keeper;
    this.#keyring = parts.keyring;
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
    const rows = await this.#find<ChainRow>(CHAIN, [workspaceId, responseId, bytesMax, CHAIN_LENGTH_MAX, false]);
    const [oldest] = rows;
    if (oldest === undefined) return 'missing';
    if (oldest.is_too_large) return 'too_large';
    return oldest.previous_request_id === null ? await this.#chainOf(rows) : 'missing';
  }

  async findItems(
    workspaceId: string,
    itemIds: readonly string[],
    bytesMax: number,
  ): Promise<StoredItems | 'too_large'> {
    const wanted = [...new Set(itemIds)].filter((id) => ID.test(id));
    const rows = await this.#find<ItemRow>(ITEMS, [workspaceId, wanted, bytesMax]);
    if (rows[0]?.is_too_large === true) return 'too_large';
    const outputs = new Map<string, Buffer>();
    for (const { request_id: id, encrypted, bytes } of rows) {
      if (encrypted && bytes !== null && bytes.length > 0)
        outputs.set(id, await decryptOutput(this.#keyring, id, bytes));
    }
    const items = new Map<string, Buffer>();
    for (const { item_id: id, request_id: requestId, starts_at: start, length, encrypted, bytes } of rows) {
      const item = encrypted ? outputs.get(requestId)?.subarray(start, start + length) : bytes;
      items.set(id, item ?? Buffer.alloc(0));
    }
    return { items, requestIds: [...new Set(rows.map((row) => row.request_id))] };
  }

  async findInput(
    workspaceId: string,
    responseId: string,
    bytesMax: number,
  ): Promise<readonly ListedInput[] | 'missing' | 'too_large'> {
    if (!ID.test(responseId)) return 'missing';
    const rows = await this.#control.query<ChainRow>(
      CHAIN,
      [workspaceId, responseId, bytesMax, CHAIN_LENGTH_MAX, true],
      BRIEF,
    );
    const [first] = rows;
    if (first === undefined) return 'missing';
    if (first.is_too_large) return 'too_large';
    return await Promise.all(
      partsOf(rows).map(async (part) => ({
        requestId: part.requestId,
        pieces: [...(await decryptItems(this.#keyring, part))],
      })),
    );
  }

  async read(workspaceId: string, responseId: string): Promise<readonly Buffer[] | null> {
    if (!ID.test(responseId)) return null;
    const rows = await this.#control.query<AnswerRow>(READ, [workspaceId, responseId], BRIEF);
    const [first] = rows;
    if (first === undefined) return null;
    const pieces = rows.map(({ piece }) => piece);
    return first.encrypted ? [await decryptAnswer(this.#keyring, first.request_id, pieces)] : pieces;
  }

  async delete(workspaceId: string, responseId: string): Promise<boolean> {
    if (!ID.test(responseId)) return false;
    const [row] = await this.#control.query<{ deleted: boolean }>(DELETE, [workspaceId, responseId], BRIEF);
    if (row?.deleted !== true) return false;
    this.#keeper.madeRoom(workspaceId);
    return true;
  }

  async #chainOf(rows: readonly ChainRow[]): Promise<StoredChain> {
    const items: Buffer[] = [];
    const requestIds: string[] = [];
    for (const part of partsOf(rows)) {
      if (requestIds.length > 0) items.push(COMMA);
      requestIds.push(part.requestId);
      items.push(...(await decryptItems(this.#keyring, part)));
    }
    return { items, requestIds };
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

/** The responses in these rows, in their order. */
function partsOf(rows: readonly ItemsRow[]): readonly StoredPart[] {
  const parts: (StoredPart & { readonly pieces: Buffer[] })[] = [];
  for (const { request_id: requestId, input_length: inputLength, encrypted, piece } of rows) {
    if (parts.at(-1)?.requestId !== requestId) parts.push({ requestId, inputLength, encrypted, pieces: [] });
    if (piece !== null) parts.at(-1)?.pieces.push(piece);
  }
  return parts;
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
