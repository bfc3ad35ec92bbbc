import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeOnce } from '../support/made-once.ts';

const ROUNDS = 50;
const WORKERS = 20;

test('what a run of tests makes once is made by one of many that need it together, and is there for all', async () => {
  const root = await mkdtemp(join(tmpdir(), 'faregate-once-'));
  onTestFinished(() => rm(root, { recursive: true }));
  let made = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const path = join(root, String(round));
    const make = async (draft: string): Promise<void> => {
      made += 1;
      await writeFile(join(draft, 'content'), 'whole');
    };
    const read = async (): Promise<string> => {
      await makeOnce(path, make);
      return await readFile(join(path, 'content'), 'utf8');
    };
    const found = await Promise.all(Array.from({ length: WORKERS }, read));
    expect(new Set(found)).toEqual(new Set(['whole']));
  }
  expect(made).toBe(ROUNDS);
});
