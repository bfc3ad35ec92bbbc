import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { LINGER_BYTES_MAX, LINGER_MS } from './server-limits.ts';

// A request that is answered before it has come whole is refused: its rest is not read, and its connection ends.

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** Whether parts of a request's body are still to come. */
export function isUnread({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** A response that is the last one of its connection if it begins before its request has come whole. */
export class EarlyResponse extends ServerResponse {
  override writeHead(status: number, message?: string, headers?: Headers): this;
  override writeHead(status: number, headers?: Headers): this;
  override writeHead(status: number, messageOrHeaders?: string | Headers, headers?: Headers): this {
    if (isUnread(this.req)) this.shouldKeepAlive = false;
    return typeof messageOrHeaders === 'string'
      ? super.writeHead(status, messageOrHeaders, headers)
      : super.writeHead(status, messageOrHeaders);
  }
}

/**
 * Ends a connection behind its last answer, whose caller may still be sending. Closed immediately, it would be reset, and many
 * a caller would lose the answer. What comes is dropped without being parsed, for a while and up to a bound; beyond that
 * nothing is read.
 */
export function endUnread(socket: Socket): void {
  let left = LINGER_BYTES_MAX;
  // The parser's, which then has no claim on the socket any more.
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) socket.pause();
  });
  // A reader that stopped has left the stream waiting for bytes; after an empty piece it asks for them again.
  if (!socket.readableEnded) socket.push('');
  socket.resume();
  if (!socket.writableEnded) socket.end();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}
