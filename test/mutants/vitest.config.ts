import { stat } from 'node:fs/promises';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { MUTATED_ROOMS } from './rooms.ts';

// Runs the tests of one room (`MUTATED_ROOM`) as `npm run mutants:code` needs them: once for each mutant, in one thread.

const room = MUTATED_ROOMS[process.env.MUTATED_ROOM ?? ''];
if (room === undefined) throw new Error('MUTATED_ROOM names no room of test/mutants/rooms.ts.');

/** A run ends with the first test that fails: a small file's, most often, before the same mistake lets a large one's loop. */
class SmallFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sized = await Promise.all(files.map(async (file) => ({ file, size: (await stat(file.moduleId)).size })));
    return sized.toSorted((one, other) => one.size - other.size).map(({ file }) => file);
  }
}

export default defineConfig({
  test: {
    root: process.cwd(),
    globalSetup: ['test/support/scratch-root.ts', ...(room.withDatabase ? ['test/mutants/standing-server.ts'] : [])],
    setupFiles: ['test/mutants/first-failure.ts'],
    include: [...room.tests],
    // Changes often make a test wait for ever, which is a matter of moments or, with a database, of seconds otherwise.
    testTimeout: room.withDatabase ? 60_000 : 40_000,
    hookTimeout: room.withDatabase ? 60_000 : 40_000,
    // Each change gets a thread of its own, so that nothing of another is left in it.
    isolate: false,
    sequence: { sequencer: SmallFilesFirst },
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
  },
});
