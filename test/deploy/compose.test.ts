import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../repository/tree.ts';

// The Compose file by the loader of Docker Compose, which `npm run chart:try` installs. `npm run image:try` runs its services.

const { COMPOSE_LOADER: loader = '' } = process.env;
const text = readFileSync(join(ROOT, 'deploy/compose/compose.yaml'), 'utf8');

function load(input: string): { readonly code: number | null; readonly text: string } {
  const { status, stdout, stderr } = spawnSync(loader, ['-no-interpolation', '-no-path-resolution', '-'], {
    cwd: join(ROOT, 'deploy/compose'),
    encoding: 'utf8',
    input,
  });
  return { code: status, text: stdout + stderr };
}

describe.runIf(loader !== '')('the Compose file', () => {
  test('the Compose file is what the specification of Compose allows', () => {
    expect(load(text)).toMatchObject({ code: 0, text: expect.stringContaining('stop_grace_period: 70s') });
  });

  test('a key that the specification of Compose does not know is noticed', () => {
    expect(load(text.replace('read_only:', 'readonly:'))).toMatchObject({ code: 1 });
  });
});
