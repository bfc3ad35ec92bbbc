import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, run } from './installed-once.ts';

// Checks the systemd unit with systemd's own tool, without a running systemd: that each line is known, and how exposed the
// service would be. `verify` wants the program at its path, so this checkout's stands in for it.

const EXPOSURE_MAX = 15;

const folder = mkdtempSync(join(tmpdir(), 'faregate-unit-'));
process.on('exit', () => rmSync(folder, { recursive: true }));
const unit = join(folder, 'faregate.service');
const text = readFileSync(join(ROOT, 'deploy/systemd/faregate.service'), 'utf8');
writeFileSync(unit, text.replace('/usr/local/bin/faregate', join(ROOT, 'bin/faregate')));
run('systemd-analyze', ['verify', '--man=no', unit]);
run('systemd-analyze', ['security', '--offline=true', `--threshold=${EXPOSURE_MAX}`, '--no-pager', unit]);
