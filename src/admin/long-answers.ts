import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';

/** A caller that takes nothing for so long is cut off, so that it doesn't block others. */
const TAKEN_MS_MAX = 60_000;
const LONG_MS_MAX = 3_600_000;

/** Lets an answer take as long as the longest of what the control plane does: a proof of a long ledger, for one. */
export function waitLong(c: Context): void {
  // A request that came by no socket has none.
  const bindings = c.env as HttpBindings | undefined;
  bindings?.outgoing.setTimeout(LONG_MS_MAX);
}

/** Bytes as they come. Whatever becomes of the answer, it is read to its end, or cancelled. */
export type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>;

/**
 * A body that ends the connection if it fails midway, so that its part can't be taken for the whole. The
 * server would say on stderr what the log is for, and write it to the caller too.
 */
export function orBreakOff(c: Context, body: Bytes, onFault: (fault: unknown) => void): Bytes {
  const { outgoing } = c.env as HttpBindings;
  outgoing.setTimeout(TAKEN_MS_MAX);
  const reader = body.getReader();
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (fault) {
          onFault(fault);
          outgoing.destroy();
          controller.close();
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
