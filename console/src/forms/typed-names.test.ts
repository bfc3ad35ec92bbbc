import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

// What a click cannot undo, or what stops others at once, is confirmed by typing its name.
const TYPED = ['key-revoke.tsx', 'operator-token-revoke.tsx', 'project-archive.tsx', 'workspace-close.tsx'];

test('the forms that end something of others are confirmed by its typed name, and no other form is', () => {
  const asking = readdirSync(import.meta.dirname).filter(
    (file) =>
      file.endsWith('.tsx') &&
      file !== 'confirm-action.tsx' &&
      /\btypedName=/.test(readFileSync(join(import.meta.dirname, file), 'utf8')),
  );
  expect(asking.toSorted()).toEqual(TYPED);
});
