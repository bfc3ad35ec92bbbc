import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FIELD_TABLES, withTables } from '../support/field-tables.ts';

test('docs/fields.md has the tables by which bodies are read', () => {
  const text = readFileSync(new URL('../../docs/fields.md', import.meta.url), 'utf8');
  for (const table of Object.values(FIELD_TABLES)) expect(text).toContain(table);
  expect(withTables(text)).toBe(text);
});
