import { appendFile, readFile } from 'node:fs/promises';
import type { SeedFailure } from './seeds.ts';

const FILE = new URL('./failed-seeds.txt', import.meta.url);
const LINE = /^(\d+) /;

/** Raised with every change of what a seed draws: a seed of a former generator shows another run now. */
export const GENERATOR = 9;

/** Every seed that ever failed, in the order in which they did. */
export async function failedSeeds(): Promise<readonly number[]> {
  const lines = (await readFile(FILE, 'utf8')).split('\n');
  return lines.flatMap((line) => {
    const [, seed] = LINE.exec(line) ?? [];
    return seed === undefined ? [] : [Number(seed)];
  });
}

/** Keeps a seed that has failed, with the generator that drew it and what was found. */
export async function keepFailedSeed({ seed, reason }: SeedFailure): Promise<void> {
  await appendFile(FILE, `${seed} ${GENERATOR} ${reason.split(';')[0]}\n`);
}
