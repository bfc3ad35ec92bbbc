import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installedOnce, ROOT, run, runTest } from './installed-once.ts';

// Tries the package on the oldest Node that it supports and on newer ones, out of npm's package `node`.

const LIST = 'test/package/nodes.json';

const versions = JSON.parse(readFileSync(join(ROOT, LIST), 'utf8')) as readonly string[];
const directory = installedOnce('package-nodes', LIST, (empty) => {
  for (const version of versions) {
    // Its install script fetches the package of this platform.
    const options = ['--no-audit', '--no-fund', '--allow-scripts=node', '--prefix', join(empty, version)];
    run('npm', ['install', ...options, `node@${version}`], empty);
  }
});
const nodes = versions.map((version) => join(directory, version, 'node_modules/node/bin'));
runTest('test/package/package.test.ts', { PACKAGE_NODES: nodes.join(':') });
