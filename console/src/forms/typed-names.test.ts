import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

// What a click cannot undo, or what stops others at once, is confirmed by typing its name.
const TYPED = ['KeyRevoke', 'OperatorTokenRevoke', 'ProjectArchive', 'UserErase', 'WorkspaceClose'];

test('the forms that end something of others are confirmed by its typed name, and no other form is', () => {
  const forms = readdirSync(import.meta.dirname).filter(
    (file) => file.endsWith('.tsx') && file !== 'confirm-action.tsx',
  );
  const asking = forms.flatMap((file) => {
    const parts = readFileSync(join(import.meta.dirname, file), 'utf8').split(/^export function (?=[A-Z])/m);
    return parts.filter((part) => /\btypedName=/.test(part)).map((part) => /^\w+/.exec(part)?.[0]);
  });
  expect(new Set(asking)).toEqual(new Set(TYPED));
});
