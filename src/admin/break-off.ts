import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';

/**
 * A body that ends the connection where it fails in its midst, so that nobody takes what has come for the whole. The
 * server would say on stderr what the log is for, and write it to the caller too.
 */
export function orBreakOff(
  c: Context,
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onFault: (fault: unknown) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const { outgoing } = c.env as HttpBindings;
  async function* chunks(): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
    try {
      yield* body;
    } catch (fault) {
      onFault(fault);
      outgoing.destroy();
    }
  }
  return ReadableStream.from(chunks());
}
