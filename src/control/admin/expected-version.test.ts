import { expect, test } from 'vitest';
import type { Act, Actor } from '../../domain/actor.ts';
import { isRefusal } from '../../domain/refusals.ts';
import { expectedVersion } from './expected-version.ts';

/** What a change by an actor of this kind expects. */
function expectedBy(kind: Actor['kind'], header: string | undefined): unknown {
  const expected = expectedVersion({
    req: { header: () => header },
    var: { act: { actor: { kind } } as unknown as Act },
  });
  return isRefusal(expected) ? expected.param : expected;
}

test.each([
  ['"3"', 3],
  ['3', 3],
  ['W/"12"', 12],
  ['"1024"', 1024],
  ['"999999999"', 999_999_999],
  ['"1000000000"', 'if-match'],
  ['"-1"', 'if-match'],
  ['"1", "2"', 'if-match'],
  ['""', 'if-match'],
  ['*', null],
])('a change whose If-Match is %s expects the version %s', (header, expected) => {
  expect(expectedBy('session', header)).toBe(expected);
  expect(expectedBy('operator', header)).toBe(expected);
});

test('a change without If-Match meets any version, unless a person in a browser makes it', () => {
  expect(expectedBy('operator', undefined)).toBeNull();
  expect(expectedBy('access_token', undefined)).toBeNull();
  expect(expectedBy('session', undefined)).toBe('if-match');
});
