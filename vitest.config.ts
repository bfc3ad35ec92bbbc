import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

// Three kinds of tests, one after the other. `unit`, beside the code, runs four files at a time. `system`, which runs started
// programs, databases, clients and failures, and `browser`, which looks at the console's pages, run seven together: they often
// wait. `alone` has the machine to itself, because it counts and measures.

const REPOSITORY_TESTS = 'test/repository/**/*.test.ts';
const CONSOLE_TESTS = 'test/console/*.test.tsx';
const BROWSER_TESTS = 'test/browser/**/*.test.ts';
const LONE_TESTS = ['test/operations/{changes,start-time,steady-state}.test.ts', 'test/bench/path-cost.test.ts'];
const TOGETHER = 7;

export default defineConfig({
  test: {
    globalSetup: 'test/support/scratch-root.ts',
    // On a machine with thirty processes for each core, too.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 30_000,
    expect: { poll: { timeout: 10_000 } },
    // What a test has changed is put back, whatever became of the test.
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'console/src/**/*.test.{ts,tsx}', CONSOLE_TESTS, REPOSITORY_TESTS],
          maxWorkers: 4,
          // The files of a worker share their modules: loading them for each file again takes as long as the tests themselves.
          isolate: false,
          // A test that passes alone passes anywhere: the order of the tests in a file is drawn by lot.
          sequence: { groupOrder: 0, shuffle: { tests: true } },
        },
      },
      {
        extends: true,
        test: {
          name: 'system',
          include: ['test/**/*.test.ts'],
          exclude: [REPOSITORY_TESTS, BROWSER_TESTS, ...LONE_TESTS],
          maxWorkers: TOGETHER,
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: [BROWSER_TESTS],
          globalSetup: ['test/support/scratch-root.ts', 'test/support/browser-stage.ts'],
          maxWorkers: TOGETHER,
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: LONE_TESTS,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
