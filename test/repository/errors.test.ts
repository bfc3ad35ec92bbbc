import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { REFUSALS } from '../../src/domain/refusals.ts';
import { ROOT } from './tree.ts';

const ROW = /^\| `(?<code>[A-Z_]+)` \| (?<status>\d{3}) \| `(?<type>\w+)` \|/gm;

test('docs/errors.md documents every code with its status and type, and no code that does not exist', () => {
  const text = readFileSync(join(ROOT, 'docs/errors.md'), 'utf8');
  const rows = [...text.matchAll(ROW)].map(({ groups }) => [
    groups?.['code'],
    { status: Number(groups?.['status']), type: groups?.['type'] },
  ]);
  expect(rows).toEqual(Object.entries(REFUSALS));
});
