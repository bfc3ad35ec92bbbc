import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

// A request that is answered before it has come whole is refused: its rest is not read, and its connection ends.

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** Whether parts of a request's body are still to come. */
export function isUnread({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** A response that is the last one of its connection if it begins before its request has come whole, or while its server ends. */
export class EarlyResponse extends ServerResponse {
  /** Whether its server ends; asked when the response begins, which may be long after its request. */
  isServerEnding = (): boolean => false;

  override writeHead(status: number, message?: string, headers?: Headers): this;
  override writeHead(status: number, headers?: Headers): this;
  override writeHead(status: number, messageOrHeaders?: string | Headers, headers?: Headers): this {
    if (isUnread(this.req) || this.isServerEnding()) this.shouldKeepAlive = false;
    // Node takes headers in the message's place as well.
    return super.writeHead(status, messageOrHeaders as string, headers);
  }
}

/** How long to wait for a caller that sends nothing, and for one that continues to send. */
const SILENCE_MS = 2_000;
const LINGER_MS = 30_000;
/** The most bytes of chunk framing, in addition to the body's own. */
const FRAMES_BYTES_MAX = 1_024 * 1_024;
/** What is dropped of a body while too many connections linger. */
export const CROWDED_BYTES_MAX = 1_024 * 1_024;
/** How many connections may linger for long at a time. */
export const LINGERING_MAX = 64;

/**
 * Ends connections behind their last answers, whose callers may still be sending. Closed immediately, they would be reset, and
 * many a caller reads no answer before it has sent all. What comes is dropped without being parsed: as much as a body may
 * have, one packet in a turn of the event loop, so that it holds up nobody else's. If too many do so already, only a
 * little is dropped, for a moment.
 */
export class Lingering {
  readonly #bytesMax: number;
  readonly #open = new Set<Socket>();

  /** `bodyBytesMax`: of the largest body that is not refused for its size. */
  constructor(bodyBytesMax: number) {
    this.#bytesMax = bodyBytesMax + FRAMES_BYTES_MAX;
  }

  /** Destroys those that linger. */
  destroy(): void {
    for (const socket of this.#open) socket.destroy();
  }

  end(socket: Socket): void {
    const isCrowded = this.#open.size >= LINGERING_MAX;
    let left = isCrowded ? CROWDED_BYTES_MAX : this.#bytesMax;
    const destroy = (): void => void socket.destroy();
    const last = setTimeout(destroy, isCrowded ? SILENCE_MS : LINGER_MS);
    const silence = setTimeout(destroy, SILENCE_MS);
    this.#open.add(socket);
    socket.once('close', () => {
      clearTimeout(last);
      clearTimeout(silence);
      this.#open.delete(socket);
    });
    // The parser's, which then has no claim on the socket any more.
    socket.removeAllListeners('data');
    socket.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      socket.pause();
      if (left < 0) return;
      silence.refresh();
      setImmediate(() => socket.resume());
    });
    // A reader that stopped has left the stream waiting for bytes; after an empty piece it asks for them again.
    if (!socket.readableEnded) socket.push('');
    socket.resume();
    if (!socket.writableEnded) socket.end();
  }
}
