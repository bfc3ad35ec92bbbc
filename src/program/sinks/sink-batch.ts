import type { Loss, Redaction } from '../../domain/sinks.ts';

// What is delivered together, of one workspace to one sink. Batches go to a thread, so they are plain data.

/** A request's prompt and answer. Bytes that no one else uses. */
export interface ContentRecord {
  /** The other fields of its line. */
  readonly fields: object;
  readonly redact: readonly Redaction[];
  readonly prompt: Uint8Array<ArrayBuffer>;
  /** Null: there was none. */
  readonly answer: Uint8Array<ArrayBuffer> | null;
  /** Whether the answer consists of events. */
  readonly streamed: boolean;
}

/** Losses of a workspace that its sink has no line about yet. */
export interface LossNote {
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly records: Partial<Record<Loss, number>>;
}

export interface SinkBatch {
  readonly workspaceId: string;
  /** Numbers the batches of a process: a batch that is sent again has the same number. */
  readonly number: number;
  /** Prompts and answers, and lines of JSON without a line break. */
  readonly records: readonly (ContentRecord | string)[];
  /** Null: nothing was lost. */
  readonly lost: LossNote | null;
}

/** The outcome of a delivery. `isFinal`: the destination will never take this batch. */
export type Delivery =
  | { readonly ok: true; /** Content that could not be read, and was left out. */ readonly unreadable: number }
  | { readonly ok: false; readonly reason: string; readonly isFinal: boolean };

/** Delivers batches to one sink. */
export interface SinkDelivery {
  /** Resolves in any case. The bytes of the batch's content are gone afterwards. */
  deliver(batch: SinkBatch): Promise<Delivery>;
}
