import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { installedOnce, run, runTest } from './installed-once.ts';

// Runs the test with coding agents, 1.2 GB.

const PACKAGES = 'test/dialects/agents.json';

const agents = installedOnce('agents', PACKAGES, (directory) => {
  copyFileSync(join(import.meta.dirname, '..', PACKAGES), join(directory, 'package.json'));
  run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], directory);
  // These put the programs for this machine in their places.
  run(process.execPath, ['install.cjs'], join(directory, 'node_modules/@anthropic-ai/claude-code'));
  run(process.execPath, ['postinstall.mjs'], join(directory, 'node_modules/opencode-ai'));
});
runTest('test/dialects/agents.test.ts', { FAREGATE_AGENTS: agents });
