import { defineConfig } from 'vitest/config';
import { MUTATED_ROOMS } from './rooms.ts';

// Runs the tests of one room (`MUTATED_ROOM`) as `npm run mutants:code` needs them: once for each mutant, in one thread.

const room = MUTATED_ROOMS[process.env.MUTATED_ROOM ?? ''];
if (room === undefined) throw new Error('MUTATED_ROOM names no room of test/mutants/rooms.ts.');

export default defineConfig({
  test: {
    root: process.cwd(),
    globalSetup: 'test/support/scratch-root.ts',
    include: [...room.tests],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
  },
});
