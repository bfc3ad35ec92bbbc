import type { IncomingMessage } from 'node:http';
import type { ReadFailure } from '../gateway/caller.ts';
import type { ByteBudget } from '../lib/byte-budget.ts';

/**
 * Reads a request's body into one Buffer, never more than `bytesMax` and never beyond the process's budget. What it
 * takes of the budget is told to `onTaken`, also where it fails: the caller gives it back.
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
    const end = (outcome: Buffer | ReadFailure): void => {
      message.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      if (!Buffer.isBuffer(outcome)) message.pause();
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
    const onClose = (): void => end('gone');
    message.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}
