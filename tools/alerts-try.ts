import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { installedOnce, ROOT, run } from './installed-once.ts';

// Checks the alert rules, and runs their tests, with Prometheus' own promtool: that on the PATH, else Debian's, unpacked once.

const isOnPath = spawnSync('promtool', ['--version']).status === 0;
const promtool = isOnPath ? 'promtool' : join(unpacked(), 'usr/bin/promtool');
const rules = join(ROOT, 'deploy/prometheus');
run(promtool, ['check', 'rules', 'alerts.yaml'], rules);
run(promtool, ['test', 'rules', 'alerts-test.yaml'], rules);

function unpacked(): string {
  return installedOnce('prometheus-tools', 'tools/alerts-try.ts', (directory) => {
    run('apt-get', ['download', 'prometheus'], directory);
    const file = readdirSync(directory).find((name) => name.endsWith('.deb')) ?? '';
    run('dpkg', ['-x', file, directory], directory);
  });
}
