import type { Socket } from 'node:net';
import { assert } from './assert.ts';

/**
 * Up to this size bytes go out as text, joined to what precedes them; beyond it the conversion costs more than that
 * saves.
 */
export const TEXT_BYTES_MAX = 16_384;

/**
 * Writes latin1 text and the pieces after it together. `onSent` is called once the system has accepted everything, or
 * with the fault.
 */
export function writeTogether(
  socket: Socket,
  head: string,
  pieces: readonly Buffer[],
  onSent?: (fault?: Error | null) => void,
): void {
  const parts: (string | Buffer)[] = [];
  let text = head;
  for (const piece of pieces) {
    if (piece.length <= TEXT_BYTES_MAX) {
      text += piece.toString('latin1');
      continue;
    }
    if (text !== '') parts.push(text);
    parts.push(piece);
    text = '';
  }
  const last = text === '' ? parts.pop() : text;
  assert(last !== undefined, 'a message has a head');
  if (parts.length > 0) socket.cork();
  for (const part of parts) socket.write(part, 'latin1');
  socket.write(last, 'latin1', onSent);
  if (parts.length > 0) socket.uncork();
}
