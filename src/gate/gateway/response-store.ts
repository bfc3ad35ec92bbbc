import type { ListedInput, ResponseEntry } from '../dialects/dialect.ts';

// The port to the store of responses that requests may refer to; database/ implements it on PostgreSQL. Everything in it
// belongs to a workspace: what another one has does not exist.

/** What a response and those that it goes on from have said. */
export interface StoredChain {
  /** JSON with commas between its values, in pieces. */
  readonly items: readonly Buffer[];
  /** The requests whose answers these are, the oldest first. */
  readonly requestIds: readonly string[];
}

/** Items of earlier answers by their ids, and the requests whose answers they are of. */
export interface StoredItems {
  /** JSON; empty if nothing of an item can be sent again. An item that isn't kept is missing. */
  readonly items: ReadonlyMap<string, Buffer>;
  readonly requestIds: readonly string[];
}

/** A response that is to be kept. */
export interface KeptResponse {
  readonly workspaceId: string;
  readonly requestId: string;
  /** The request of the response that it goes on from; null if it is the first. */
  readonly previousRequestId: string | null;
  /** All requests whose answers it goes on from: they are kept as long as it is. */
  readonly goesOnFrom: readonly string[];
  readonly entry: ResponseEntry;
}

/** The methods that find fail with DatabaseUnavailable if the database can't be asked. */
export interface ResponseStore {
  /** How long a response is kept; zero: none is. */
  readonly keepMs: number;
  /** `missing`: it isn't kept, or one that it goes on from isn't. `too_large`: its items are longer than so many bytes. */
  findChain(workspaceId: string, responseId: string, bytesMax: number): Promise<StoredChain | 'missing' | 'too_large'>;
  findItems(workspaceId: string, itemIds: readonly string[], bytesMax: number): Promise<StoredItems | 'too_large'>;
  /** What a response was made from, as far as it is still kept, the oldest request first. */
  findInput(
    workspaceId: string,
    responseId: string,
    bytesMax: number,
  ): Promise<readonly ListedInput[] | 'missing' | 'too_large'>;
  /** The answer as it was sent, in pieces; null if it isn't kept. */
  read(workspaceId: string, responseId: string): Promise<readonly Buffer[] | null>;
  /** Returns whether there was one. */
  delete(workspaceId: string, responseId: string): Promise<boolean>;
  /** Whether the workspace's answers are kept, as far as is known before they have come: not if it has as much as it may. */
  keepsFor(workspaceId: string): boolean;
  /** Resolves to true once the response is kept; to false if it is lost, which is reported elsewhere. Never rejects. */
  keep(response: KeptResponse): Promise<boolean>;
}
