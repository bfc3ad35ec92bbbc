import { setTimeout as delay } from 'node:timers/promises';
import { type Program, startProgram } from '../support/program.ts';
import type { SoakReport } from './report.ts';

// Prompts that no small heap can hold together: those that find no room are told to come back, and the program lives.

const HEAP_MB = 96;
const LANES = 100;
const BODY_MB = 16;
const DURATION_MS = 20_000;
const MB = 1_048_576;

/** Sends more than fits. @returns what should not be, and the figures */
export async function fillSmallHeap(): Promise<SoakReport> {
  const program = await startProgram({
    args: ['--bootstrap'],
    env: { NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` },
  });
  try {
    return await fill(program);
  } finally {
    await program.dispose();
  }
}

async function fill(program: Program): Promise<SoakReport> {
  const { key } = await program.createTenant({ credit: '1000000' });
  const ask = (content: string): Promise<Response> =>
    program.chat(key, { model: 'sandbox/echo', max_tokens: 5, messages: [{ role: 'user', content }] });
  const large = 'large '.repeat((BODY_MB * MB) / 6);
  const counts = new Map<string, number>();
  const untilMs = performance.now() + DURATION_MS;
  const lane = async (): Promise<void> => {
    while (performance.now() < untilMs) {
      const answer = await ask(large);
      await answer.body?.cancel();
      const what = `${answer.status}${answer.headers.has('retry-after') ? ' with retry-after' : ''}`;
      counts.set(what, (counts.get(what) ?? 0) + 1);
      await delay(100);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  const after = await ask('hello');
  const text = [...counts].map(([what, count]) => `${count} of ${what}`).join(', ');
  return {
    lines: [`${LANES} lanes of ${BODY_MB} MB at a heap of ${HEAP_MB} MB: ${text}; afterwards ${after.status}`],
    faults:
      after.status === 200 && counts.has('503 with retry-after') ? [] : [`a small heap: ${text}, then ${after.status}`],
  };
}
