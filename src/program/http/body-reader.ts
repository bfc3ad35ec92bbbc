import type { IncomingMessage } from 'node:http';
import type { ReadFailure } from '../../gate/gateway/caller.ts';
import type { GatheredBytes } from '../../lib/gathered-bytes.ts';

/**
 * Reads a request's body into one Buffer. The memory is that of `body`, also if it fails: its owner drops it.
 *
 * One packet of it is read in a turn of the event loop, so that a body in tiny chunks, each of which costs as much as a
 * large one, holds up nobody else's.
 */
export function readBody(message: IncomingMessage, body: GatheredBytes): Promise<Buffer | ReadFailure> {
  const announced = Number(message.headers['content-length'] ?? 0);
  if (announced > body.bytesMax) return Promise.resolve('too_large');
  // It emits nothing any more.
  if (message.destroyed) return Promise.resolve('gone');
  return new Promise((resolve) => {
    const { socket } = message;
    let isOver = false;
    let isResting = false;
    const end = (outcome: Buffer | ReadFailure): void => {
      if (isOver) return;
      isOver = true;
      message.off('data', onData);
      // Nobody wants the rest.
      if (!Buffer.isBuffer(outcome)) message.pause();
      if (!isResting) socket.off('resume', onResume);
      resolve(outcome);
    };
    // The message resumes its socket whenever it has room for more.
    const onResume = (): void => {
      if (isResting) socket.pause();
    };
    const goOn = (): void => {
      isResting = false;
      if (isOver) socket.off('resume', onResume);
      socket.resume();
    };
    const onData = (chunk: Buffer): void => {
      const left = announced > 0 ? announced - body.length - chunk.length : Infinity;
      const fault = body.add(chunk, left);
      if (fault !== null) return end(fault);
      if (isResting || message.complete) return;
      isResting = true;
      socket.pause();
      setImmediate(goOn);
    };
    const onEnd = (): void => end(body.whole());
    // A message that breaks off emits 'close' without 'end', and no other relevant event.
    const onClose = (): void => end('gone');
    socket.on('resume', onResume);
    message.on('data', onData).on('end', onEnd).on('close', onClose);
  });
}
