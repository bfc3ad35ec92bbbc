import type { ListedInput, ResponseEntry } from '../dialects/dialect.ts';

// The port to the store of responses that requests may refer to; database/ implements it on PostgreSQL. Everything in
// it belongs to a workspace, and is not found for any other.

/** The items of a response and of those that it continues. */
export interface StoredChain {
  /** JSON values separated by commas, in pieces. */
  readonly items: readonly Buffer[];
  /** The requests that the items are from, the oldest first. */
  readonly requestIds: readonly string[];
}

/** Items of earlier answers by id, and the requests that they are from. */
export interface StoredItems {
  /** JSON; empty if nothing of an item can be sent again. An item that isn't kept is missing. */
  readonly items: ReadonlyMap<string, Buffer>;
  readonly requestIds: readonly string[];
}

/** A response to keep. */
export interface KeptResponse {
  readonly workspaceId: string;
  readonly requestId: string;
  /** The request of the response that it continues; null if it is the first. */
  readonly previousRequestId: string | null;
  /** All requests whose answers it continues: they are kept as long as it is. */
  readonly goesOnFrom: readonly string[];
  readonly entry: ResponseEntry;
}

/** Methods that read fail with DatabaseUnavailable if the database can't be queried. */
export interface ResponseStore {
  /** How long a response is kept; zero if none is. */
  readonly keepMs: number;
  /** `missing`: it isn't kept, or one that it continues isn't. `too_large`: its items are longer than `bytesMax`. */
  findChain(workspaceId: string, responseId: string, bytesMax: number): Promise<StoredChain | 'missing' | 'too_large'>;
  findItems(workspaceId: string, itemIds: readonly string[], bytesMax: number): Promise<StoredItems | 'too_large'>;
  /** The items that a response was made from, as far as they are kept, the oldest request first. */
  findInput(
    workspaceId: string,
    responseId: string,
    bytesMax: number,
  ): Promise<readonly ListedInput[] | 'missing' | 'too_large'>;
  /** The answer as it was sent, in pieces; null if it isn't kept. */
  read(workspaceId: string, responseId: string): Promise<readonly Buffer[] | null>;
  /** Returns whether there was one. */
  delete(workspaceId: string, responseId: string): Promise<boolean>;
  /** Whether the workspace's answers are kept, as far as is known in advance: not if its storage is full. */
  keepsFor(workspaceId: string): boolean;
  /** Resolves to true once the response is kept; to false if it is lost, which is reported elsewhere. Never rejects. */
  keep(response: KeptResponse): Promise<boolean>;
}
