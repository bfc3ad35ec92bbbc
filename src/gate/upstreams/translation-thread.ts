import { parentPort } from 'node:worker_threads';
import { assert } from '../../lib/assert.ts';
import { translate, type Translation } from './translation.ts';

// The entry point of a thread that translates large requests, one after the other. Any error ends it.

const port = parentPort;
assert(port !== null, 'this is the entry of a thread');

port.on('message', (task: Translation & { readonly body: Uint8Array<ArrayBuffer> }) => {
  const translated = translate({ ...task, body: Buffer.from(task.body.buffer) });
  if (!translated.ok) return port.postMessage(translated, []);
  // Small buffers share their memory, which can't be given away.
  const made = Uint8Array.from(translated.made);
  port.postMessage({ ...translated, made }, [made.buffer]);
});
