import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Mutation } from './mutations.ts';
import { runSeeds, seedsFrom, type SeedFailure, type Simulated } from './seeds.ts';

const ROOT = join(import.meta.dirname, '../..');
const COPIED = [
  'src/lib',
  'src/domain',
  'src/gate',
  'src/control/cells',
  'src/control/moves',
  'src/program/http/forward',
  'test/simulation',
  'test/support/model-permit-store.ts',
  'test/support/receipts.ts',
  'package.json',
];

/** What became of a mutation: the first seed that noticed it, and how; null where none did. */
export interface Verdict {
  readonly name: string;
  readonly noticed: SeedFailure | null;
}

/** The text of the edit's file with the mistake in it. @throws Error if what it replaces isn't there, or not once */
export async function mutatedText(
  { file, line, mutated }: Mutation['edits'][number],
  directory = ROOT,
): Promise<string> {
  const text = await readFile(join(directory, file), 'utf8');
  if (text.split(line).length !== 2) throw new Error(`${file} does not have this once: ${line}`);
  return text.replace(line, () => mutated);
}

/** Runs the simulation on a copy of the engine with the mutation's lines in it, until it fails. */
export async function tryMutation(
  mutation: Mutation,
  {
    of,
    from = 1,
    seedsMax,
    steps,
  }: { readonly of: Simulated; readonly from?: number; readonly seedsMax: number; readonly steps: number },
): Promise<Verdict> {
  const directory = await mkdtemp(join(tmpdir(), 'mutant-'));
  try {
    for (const path of COPIED) await cp(join(ROOT, path), join(directory, path), { recursive: true });
    await symlink(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
    for (const edit of mutation.edits) await writeFile(join(directory, edit.file), await mutatedText(edit, directory));
    const worker = pathToFileURL(join(directory, 'test/simulation/seeds-worker.ts'));
    const failure = await runSeeds({ of, seeds: seedsFrom(from, seedsMax), steps }, worker);
    return { name: mutation.name, noticed: failure };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
