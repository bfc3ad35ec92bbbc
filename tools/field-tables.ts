import { readFileSync, writeFileSync } from 'node:fs';
import { withTables } from '../test/support/field-tables.ts';

// Writes the tables of docs/fields.md anew.

const FILE = new URL('../docs/fields.md', import.meta.url);

writeFileSync(FILE, withTables(readFileSync(FILE, 'utf8')));
