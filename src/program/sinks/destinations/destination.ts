import type { MaybeAsync } from '../../../lib/maybe-async.ts';

/** The destination will never take this batch. */
export class BatchRejected extends Error {
  override readonly name = 'BatchRejected';
}

/** Lines that are written together. */
export interface LineBatch {
  readonly workspaceId: string;
  readonly number: number;
  readonly lines: readonly string[];
}

/** Where a sink's lines go. One batch at a time. */
export interface Destination {
  /** Returns, or resolves, once the destination has the lines for good. @throws BatchRejected, or any other fault */
  write(batch: LineBatch): MaybeAsync<void>;
}
