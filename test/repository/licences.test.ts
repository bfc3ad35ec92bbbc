import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { licenceFaults, type LockedPackages } from '../../tools/licence-faults.ts';
import { ROOT } from './tree.ts';

test('every dependency has an accepted licence, or is named with a reason', () => {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: LockedPackages };
  expect(licenceFaults(lock.packages)).toEqual([]);
});

test('a licence is refused that is unknown, missing, joined to such a one, or allowed for tools alone', () => {
  const names = (packages: LockedPackages): readonly string[] =>
    licenceFaults(packages).map((line) => line.split(' ')[0] ?? '');
  expect(
    names({
      '': {},
      'node_modules/a': { license: 'GPL-3.0' },
      'node_modules/b': {},
      'node_modules/c': { license: 'MIT AND GPL-3.0' },
      'node_modules/d': { license: '(MIT OR GPL-3.0)' },
      'node_modules/e': { license: 'ISC', optionalDependencies: { f: '1.0.0' } },
      'node_modules/e/node_modules/f': {},
      'node_modules/lightningcss': { license: 'MPL-2.0' },
      'node_modules/axe-core': { license: 'MPL-2.0', dev: true },
    }),
  ).toEqual(['a', 'b', 'c', 'lightningcss']);
});
