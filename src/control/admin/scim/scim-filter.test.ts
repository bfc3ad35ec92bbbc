import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readFilter, readPath } from './scim-filter.ts';

const FIELDS = new Map([
  ['username', 'userName'],
  ['externalid', 'externalId'],
  ['active', 'active'],
  ['emails.value', 'email'],
] as const);

const asked = (text: string) => {
  const found = readFilter(text, FIELDS);
  return found instanceof Map ? Object.fromEntries(found) : found;
};

const REFUSED = { code: 'INVALID_REQUEST', details: { scimType: 'invalidFilter' } };

test.each([
  ['userName eq "ada@acme.example"', { userName: 'ada@acme.example' }],
  ['USERNAME Eq "a \\"b\\" \\u00e9"', { userName: 'a "b" é' }],
  ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "a"', { userName: 'a' }],
  ['externalId eq "1" and active eq False', { externalId: '1', active: false }],
  ['emails[type eq "work"].value eq "a@b.example"', { email: 'a@b.example' }],
])('the filter %s is read', (text, fields) => {
  expect(asked(text)).toEqual(fields);
});

test.each([
  '',
  'userName',
  'userName eq',
  'userName eq ada',
  'userName eq "a',
  'userName eq 1',
  'userName eq null',
  'userName sw "a"',
  'userName eq "a" or active eq true',
  'not (userName eq "a")',
  '(userName eq "a")',
  'userName eq "a" and',
  'userName eq "a" and userName eq "b"',
  'title eq "a"',
  'constructor eq "a"',
  'emails[type eq "home"].value eq "a@b.example"',
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:userName eq "a"',
  `userName eq "${'a'.repeat(1_000)}"`,
])('the filter %s is refused', (text) => {
  expect(asked(text)).toMatchObject(REFUSED);
});

test('every comparison of a known attribute is read as it was meant, and no text at all throws', () => {
  const names = fc.constantFrom('userName', 'externalId');
  const blanks = fc.constantFrom(' ', '  ', '\t');
  fc.assert(
    fc.property(names, fc.string({ unit: 'binary', maxLength: 12 }), blanks, (name, value, blank) => {
      expect(asked(`${name}${blank}eq${blank}${JSON.stringify(value)}`)).toEqual({ [name]: value });
    }),
  );
  const parts = fc.constantFrom('userName', 'active', ' eq ', ' and ', '"a"', 'true', '[', ']', '.', '"', '\\', '(');
  fc.assert(
    fc.property(fc.array(fc.oneof(parts, fc.string({ maxLength: 3 })), { maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      const found = readFilter(text, FIELDS);
      if (!(found instanceof Map)) expect(found).toMatchObject(REFUSED);
      readPath(text);
    }),
  );
});

test.each([
  ['members[value eq "1"]', { attribute: 'members', terms: [{ attribute: 'value', value: '1' }], part: null }],
  ['name.givenName', { attribute: 'name', terms: [], part: 'givenname' }],
  ['emails[type eq "work" and primary eq true].value', { attribute: 'emails', part: 'value' }],
  ['urn:ietf:params:scim:schemas:core:2.0:Group:displayName', { attribute: 'displayname', terms: [] }],
])('the path %s is read', (text, path) => {
  expect(readPath(text)).toMatchObject(path);
});

test.each(['', '.', 'members[', 'members[]', 'members[value]', 'members[value eq "1"', 'a b', 'name.', '1'])(
  'the path "%s" is refused',
  (text) => {
    expect(readPath(text)).toMatchObject({ details: { scimType: 'invalidPath' } });
  },
);
