import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { jsonInSlices, type Lazy } from '../../lib/slices.ts';

/** A client that reads nothing for this long is disconnected, so that it doesn't block others. */
const TAKEN_MS_MAX = 60_000;
const LONG_MS_MAX = 3_600_000;

/** Raises the response time-out to that of the longest operations, such as verifying a long ledger. */
export function allowLongResponse(c: Context): void {
  // Requests made without a socket have no bindings.
  const bindings = c.env as HttpBindings | undefined;
  bindings?.outgoing.setTimeout(LONG_MS_MAX);
}

/** Answers 200 with the JSON of a value that may be long, which is written in slices. */
export async function answerLong<Value>(c: Context, value: Lazy<Value>): Promise<Response> {
  return c.body(await jsonInSlices(value), 200, { 'content-type': 'application/json' });
}

/** Bytes as they arrive. The stream is always read to its end or cancelled. */
export type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>;

/**
 * A body that destroys the connection if it fails midway, so that a part can't be taken for the whole. Left to the HTTP
 * library, the fault would be printed to stderr and sent to the client. A client that leaves ends what is read for it; what
 * fails by that is no fault.
 */
export function destroyOnFault(c: Context, body: Bytes, onFault: (fault: unknown) => void): Bytes {
  const { outgoing } = c.env as HttpBindings;
  outgoing.setTimeout(TAKEN_MS_MAX);
  const reader = body.getReader();
  let isCancelled = false;
  const hasLeft = (): boolean => isCancelled || outgoing.destroyed;
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (fault) {
          if (!hasLeft()) onFault(fault);
          outgoing.destroy();
          if (!isCancelled) controller.close();
        }
      },
      cancel: (reason) => {
        isCancelled = true;
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
