import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { installedOnce, run, runTest } from './installed-once.ts';

// Runs the test with coding agents, some 800 MB.

const PACKAGES = 'test/dialects/agents.json';

const agents = installedOnce('agents', PACKAGES, (directory) => {
  copyFileSync(join(import.meta.dirname, '..', PACKAGES), join(directory, 'package.json'));
  run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], directory);
  // It puts the program for this machine in its place.
  run(process.execPath, ['install.cjs'], join(directory, 'node_modules/@anthropic-ai/claude-code'));
});
runTest('test/dialects/agents.test.ts', { FAREGATE_AGENTS: agents });
