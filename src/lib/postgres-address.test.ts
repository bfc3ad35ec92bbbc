import { expect, test } from 'vitest';
import { parsePostgresAddress, type PostgresAddress } from './postgres-address.ts';

function parsed(text: string): PostgresAddress {
  const address = parsePostgresAddress(text);
  if ('wrong' in address) throw new Error(`${address.wrong}; ${address.right}`);
  return address;
}

const names = (text: string): readonly string[] => parsed(text).servers.map(({ name }) => name);

test.each([
  ['postgres://h/d', ['h:5432']],
  ['postgresql://u:p@h:1/d', ['h:1']],
  ['postgres://u@a:1,b,c:3/d', ['a:1', 'b:5432', 'c:3']],
  ['postgres://u@[::1]:1,[fe80::2]/d', ['[::1]:1', '[fe80::2]:5432']],
  ['postgres:///d?host=a,b&port=1,2', ['a:1', 'b:2']],
  ['postgres://a,b/d?port=6432', ['a:6432', 'b:6432']],
  ['postgres://u@%2Frun%2Fpg/d', ['/run/pg:5432']],
])('the address %s names the servers %j', (text, expected) => {
  expect(names(text)).toEqual(expected);
});

test('each server has the user, the password, the database and the parameters that choose no server', () => {
  const address = parsed('postgres://u:p%40@a:1,b:2/d?target_session_attrs=primary&sslmode=require&options=-c%20x%3D1');
  expect(address.servers.map(({ url }) => url)).toEqual([
    'postgres://u:p%40@server/d?host=a&port=1&options=-c+x%3D1',
    'postgres://u:p%40@server/d?host=b&port=2&options=-c+x%3D1',
  ]);
});

test('of several servers one that takes writes is wanted unless the address says otherwise', () => {
  expect(parsed('postgres://a,b/d').wanted).toBe('read-write');
  expect(parsed('postgres://a,b/d?target_session_attrs=prefer-standby').wanted).toBe('prefer-standby');
  expect(parsed('postgres://a/d').wanted).toBe('any');
});

test('TLS is preferred if the address says nothing, and checked in full against the authorities of this machine', () => {
  expect(parsed('postgres://a/d').sslMode).toBe('prefer');
  expect(parsed('postgres://a/d?sslrootcert=system')).toMatchObject({ sslMode: 'verify-full', sslRootCert: 'system' });
  expect(parsed('postgres://a/d?ssl=true').sslMode).toBe('require');
  const client = parsed('postgres://a/d?sslmode=verify-ca&sslrootcert=/ca&sslcert=/c&sslkey=/k');
  expect(client).toMatchObject({ sslRootCert: '/ca', sslClient: { cert: '/c', key: '/k' } });
});

test.each([
  ['mysql://h/d', 'is not the address'],
  ['postgres://u@%zz/d', 'ports'],
  ['postgres://a:x/d', 'ports'],
  ['postgres:///d?host=a,b,c&port=1,2', 'ports'],
  ['postgres://a/d?target_session_attrs=writable', 'target_session_attrs'],
  ['postgres://a/d?sslmode=on', 'sslmode'],
  ['postgres://a/d?sslmode=verify-ca', 'sslrootcert'],
  ['postgres://a/d?sslmode=require&sslrootcert=system', 'weaker'],
  ['postgres://a/d?sslcert=/c', 'sslkey'],
])('the address %s is refused with its remedy', (text, wrong) => {
  expect(parsePostgresAddress(text)).toMatchObject({ wrong: expect.stringContaining(wrong) as string });
});
