import type { IncomingMessage } from 'node:http';
import type { ReadFailure } from '../gateway/caller.ts';
import type { ByteBudget } from '../lib/byte-budget.ts';

/**
 * Reads a request's body into one Buffer, at most `bytesMax` and within the process's budget. Reports the bytes taken
 * from the budget to `onTaken`, even if it fails: the caller returns them.
 */
export function readBody(
  message: IncomingMessage,
  bytesMax: number,
  budget: ByteBudget,
  onTaken: (bytes: number) => void,
): Promise<Buffer | ReadFailure> {
  const announced = Number(message.headers['content-length'] ?? 0);
  if (announced > bytesMax) return Promise.resolve('too_large');
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let isOver = false;
    const end = (outcome: Buffer | ReadFailure): void => {
      if (isOver) return;
      isOver = true;
      if (!Buffer.isBuffer(outcome)) {
        // If the rest must be drained, another reader does so.
        message.off('data', onData);
        message.pause();
      }
      resolve(outcome);
    };
    const onData = (chunk: Buffer): void => {
      if (length + chunk.length > bytesMax) return end('too_large');
      if (!budget.take(chunk.length)) return end('overloaded');
      onTaken(chunk.length);
      length += chunk.length;
      chunks.push(chunk);
    };
    const onEnd = (): void => end(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
    // A message that breaks off emits 'close' without 'end', and no other relevant event.
    const onClose = (): void => end('gone');
    message.on('data', onData).on('end', onEnd).on('close', onClose);
  });
}
