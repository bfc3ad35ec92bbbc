import { expect, test } from 'vitest';
import type { OperatorScope, WorkspaceScope } from '../../src/domain/workspace-scope.ts';
import type { Admission } from '../../src/gate/gateway/admit.ts';
import { FILES, linesMatching } from './tree.ts';

// Rights are values of classes. Whoever has one proves by it that a check was passed, so nothing else may make one.

type CanBeMade<Class> = Class extends new (...given: never[]) => unknown ? true : false;
type IsRight<Imitation, Right> = Imitation extends Right ? true : false;
/** What has the public fields of a right, and nothing else. */
type Fields<Right> = { readonly [Name in keyof Right]: Right[Name] };

test('no right can be made by its constructor or imitated by a record: the compiler refuses this file if one can', () => {
  const admission: [CanBeMade<typeof Admission>, IsRight<Fields<Admission>, Admission>] = [false, false];
  const workspace: [CanBeMade<typeof WorkspaceScope>, IsRight<Fields<WorkspaceScope>, WorkspaceScope>] = [false, false];
  const operator: [CanBeMade<typeof OperatorScope>, IsRight<Fields<OperatorScope>, OperatorScope>] = [false, false];
  expect([admission, workspace, operator].flat()).not.toContain(true);
});

/** What stands for money or a rate limit that is held: the files that make one. */
const HELD: Readonly<Record<string, readonly string[]>> = {
  Hold: ['src/gate/purses/leases/allocator.ts'],
  LeasedCharge: ['src/gate/purses/leases/allocator.ts'],
  Permit: ['src/gate/purses/permits/permit.ts', 'src/gate/purses/permits/permit-lease.ts'],
};

test('holds, charges and permits are made where they are counted, and nowhere else in the program', () => {
  const program = FILES.filter(({ path }) => /^(src|bench)\/.*(?<!\.test)\.ts$/.test(path));
  for (const [name, makers] of Object.entries(HELD)) {
    const made = linesMatching(program, new RegExp(`\\bnew ${name}\\(`)).map((line) => line.split(':', 1).join());
    expect([...new Set(made)].toSorted()).toEqual(makers.toSorted());
  }
});
