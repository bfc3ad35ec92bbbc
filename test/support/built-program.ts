import { cp, mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildProgram } from '../../tools/program-build.ts';
import { makeOnce } from './made-once.ts';

// The program as its npm package has it, which starts in three quarters of the processor's time that the source takes. A run
// of tests builds it once. It shares the checkout's dependencies and console.

/** The environment's name for the folder where it lies, or will: it is built by the first that starts it. */
export const BUILT_PROGRAM = 'FAREGATE_TEST_PROGRAM';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The program's launcher in this checkout, which runs the source. */
const SOURCE_LAUNCHER = join(ROOT, 'bin/faregate');

/** The launcher of the built program; outside of a run of tests, that of the source. */
export async function programLauncher({ fromSource = false } = {}): Promise<string> {
  const folder = process.env[BUILT_PROGRAM];
  if (fromSource || folder === undefined) return SOURCE_LAUNCHER;
  await makeOnce(folder, layProgram);
  return join(folder, 'bin/faregate');
}

async function layProgram(folder: string): Promise<void> {
  await buildProgram(join(folder, 'dist'));
  await mkdir(join(folder, 'bin'));
  for (const file of ['bin/faregate', 'package.json']) await cp(join(ROOT, file), join(folder, file));
  for (const shared of ['node_modules', 'console']) await symlink(join(ROOT, shared), join(folder, shared));
}

/** What of the environment the built program runs on: this Node, and a place for code that has been compiled. */
export function builtProgramEnvironment(): Readonly<Record<string, string>> {
  const folder = process.env[BUILT_PROGRAM];
  if (folder === undefined) return {};
  return {
    PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
    NODE_COMPILE_CACHE: `${folder}-compiled`,
  };
}
