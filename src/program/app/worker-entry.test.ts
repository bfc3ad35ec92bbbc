import { closeSync, openSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROGRAM_VERSION } from '../../lib/program-version.ts';
import { forkWorker } from '../process/worker-process.ts';
import type { FromWorker } from '../process/worker-messages.ts';

// A worker's process begins with whatever files are there. Those of a program that was replaced while it runs must not
// guess at what an older supervisor means.

const ENTRY = new URL('./worker-entry.ts', import.meta.url);

let descriptor: number;
beforeAll(() => void (descriptor = openSync('/dev/null', 'r')));
afterAll(() => closeSync(descriptor));

test.each(['99.0.0', undefined])(
  'a worker whose supervisor is of version %s begins nothing, and says what to do',
  async (version) => {
    const worker = forkWorker(ENTRY, descriptor);
    const said: FromWorker[] = [];
    worker.onMessage((message) => said.push(message));
    worker.send({ kind: 'begin', version: version as string, orders: { config: { unheardOf: true } } });
    expect(await worker.ended).toBe('code 1');
    const reason = `the program's files are of version ${PROGRAM_VERSION}, but its supervisor still runs ${version}: `;
    expect(said[0]).toEqual({
      kind: 'failed',
      reason: expect.stringMatching(new RegExp(`^${RegExp.escape(reason)}.*Restart the program$`)) as string,
      isDatabaseAway: false,
    });
  },
);
