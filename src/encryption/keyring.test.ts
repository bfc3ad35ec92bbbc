import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { DatabaseUnavailable, type Sql, type SqlRunner } from '../lib/sql.ts';
import { CiphertextFault, type Place } from './envelope.ts';
import { GivenKeys } from './given-keys.ts';
import { type KeyEncryption, KeyEncryptionFault, RotationRefused } from './key-encryption.ts';
import { KeyFile } from './key-file.ts';
import { KeyProgram } from './key-program.ts';
import { Keyring } from './keyring.ts';
import { newKeyText } from './local-keys.ts';

let db: TestDatabase;
let directory: string;
beforeAll(async () => {
  db = await startTestDatabase();
  directory = await mkdtemp(join(tmpdir(), 'faregate-keys-'));
});
afterAll(async () => {
  await rm(directory, { recursive: true });
  await db.stop();
});
beforeEach(() => db.database.query('delete from data_keys'));
afterEach(() => rm(keyFile(), { force: true }));

const keyFile = (): string => join(directory, 'secrets.key');
const clock = new ManualClock();
const keyring = (keys: KeyEncryption, sql: Sql = db.control): Keyring => new Keyring(sql, keys, clock);
const given = (...keys: string[]): Keyring => keyring(new GivenKeys('FAREGATE_SECRETS_KEY', keys.join(' ')));

const place: Place = { table: 'authenticators', column: 'encrypted_secret', row: randomUUID() };
const seed = Buffer.from('a seed of an app');

async function wrappedBy(): Promise<readonly string[]> {
  const rows = await db.control.query<{ by: string }>('select distinct wrapped_by as by from data_keys');
  return rows.map(({ by }) => by);
}

test('a secret is decrypted by every process that has the key, and by none that has another or none', async () => {
  const [key, other] = [newKeyText(), newKeyText()];
  const encrypted = await given(key).encrypt(place, seed);
  expect(encrypted.includes(seed)).toBe(false);
  expect(await given(key).decrypt(place, encrypted)).toEqual(seed);
  expect(await given(other, key).decrypt(place, encrypted)).toEqual(seed);
  const stranger = given(other);
  await expect(stranger.decrypt(place, encrypted)).rejects.toThrow(KeyEncryptionFault);
  await expect(stranger.encrypt(place, seed)).rejects.toThrow(KeyEncryptionFault);
  expect(await stranger.problem()).toContain('is not in FAREGATE_SECRETS_KEY: put the key of this database there');
  expect(await wrappedBy()).toHaveLength(1);
  expect(await given(key).problem()).toBeNull();
});

test('a ciphertext counts at its place alone: not in another row, column or table, and not if a bit of it is changed', async () => {
  const ring = given(newKeyText());
  const encrypted = await ring.encrypt(place, seed);
  for (const moved of [
    { ...place, row: randomUUID() },
    { ...place, column: 'encrypted_former_secret' },
    { ...place, table: 'webhook_endpoints' },
  ]) {
    await expect(ring.decrypt(moved, encrypted)).rejects.toThrow(CiphertextFault);
  }
  for (let at = 17; at < encrypted.length; at++) {
    const changed = Buffer.from(encrypted);
    changed[at] = (changed[at] ?? 0) ^ 1;
    await expect(ring.decrypt(place, changed)).rejects.toThrow(CiphertextFault);
  }
  await expect(ring.decrypt(place, Buffer.from('short'))).rejects.toThrow(CiphertextFault);
  const again = await ring.encrypt(place, seed);
  expect(again.equals(encrypted)).toBe(false);
});

test('processes that start at the same moment on an empty database make one data key', async () => {
  const key = newKeyText();
  const rings = Array.from({ length: 6 }, () => given(key));
  const encrypted = await Promise.all(rings.map((ring) => ring.encrypt(place, seed)));
  expect(await db.control.query('select from data_keys')).toHaveLength(1);
  for (const value of encrypted) expect(await rings[0]?.decrypt(place, value)).toEqual(seed);
});

test('a data key of a week ago is followed by another, and still decrypts', async () => {
  const key = newKeyText();
  const old = await given(key).encrypt(place, seed);
  await db.database.query("update data_keys set created_at = now() - interval '8 days'");
  const ring = given(key);
  await ring.encrypt(place, seed);
  expect(await db.control.query('select from data_keys')).toHaveLength(2);
  expect(await ring.decrypt(place, old)).toEqual(seed);
});

test('the first start makes the key file for its user alone, and no later one replaces a file that is missing', async () => {
  const encrypted = await keyring(new KeyFile(keyFile())).encrypt(place, seed);
  expect((await stat(keyFile())).mode & 0o777).toBe(0o600);
  const text = await readFile(keyFile(), 'utf8');
  expect(await keyring(new KeyFile(keyFile())).decrypt(place, encrypted)).toEqual(seed);
  await rm(keyFile());
  const without = keyring(new KeyFile(keyFile()));
  await expect(without.encrypt(place, seed)).rejects.toThrow(KeyEncryptionFault);
  await expect(without.decrypt(place, encrypted)).rejects.toThrow(`is not in ${keyFile()}`);
  await expect(stat(keyFile())).rejects.toThrow('ENOENT');
  // It counts as soon as it is back.
  await writeFile(keyFile(), text);
  expect(await without.decrypt(place, encrypted)).toEqual(seed);
  await writeFile(keyFile(), 'not a key');
  expect(await keyring(new KeyFile(keyFile())).problem()).toContain('holds something that is no key: write 32 random');
});

/** A database that is lost before the statement with this number. */
function lostBefore(statement: number): Sql {
  let sent = 0;
  const runner = (on: SqlRunner): SqlRunner => ({
    query: async (text, values) => {
      sent += 1;
      if (sent >= statement) throw new DatabaseUnavailable('away');
      return await on.query(text, values);
    },
  });
  return {
    ...runner(db.control),
    transaction: (work, options) => db.control.transaction((tx) => work(runner(tx)), options),
  };
}

test('a rotation that is broken off at any statement leaves everything readable, and goes on when it is run again', async () => {
  const first = keyring(new KeyFile(keyFile()));
  const encrypted = await first.encrypt(place, seed);
  await db.database.query("update data_keys set created_at = now() - interval '8 days'");
  await keyring(new KeyFile(keyFile())).encrypt(place, seed);
  const former = await readFile(keyFile(), 'utf8');
  for (let statement = 1; statement < 9; statement++) {
    await keyring(new KeyFile(keyFile()), lostBefore(statement))
      .rotate(false)
      .catch(() => undefined);
    expect(await keyring(new KeyFile(keyFile())).decrypt(place, encrypted)).toEqual(seed);
  }
  await keyring(new KeyFile(keyFile())).rotate(false);
  const present = await readFile(keyFile(), 'utf8');
  expect(present.trim().split('\n')).toHaveLength(1);
  expect(present).not.toBe(former);
  expect(await wrappedBy()).toHaveLength(1);
  expect(await given(present).decrypt(place, encrypted)).toEqual(seed);
  await expect(given(former).decrypt(place, encrypted)).rejects.toThrow(KeyEncryptionFault);
});

test('a process that runs through a rotation goes on, and makes no data key that the former key wraps', async () => {
  const [former, next] = [newKeyText(), newKeyText()];
  const elsewhere = given(former);
  const encrypted = await elsewhere.encrypt(place, seed);
  await expect(given(former).rotate(true)).rejects.toThrow(RotationRefused);
  expect(await given(next, former).rotate(true)).toBe(1);
  expect(await elsewhere.decrypt(place, await elsewhere.encrypt(place, seed))).toEqual(seed);
  await db.database.query("update data_keys set created_at = now() - interval '8 days'");
  await expect(given(former).encrypt(place, seed)).rejects.toThrow(KeyEncryptionFault);
  expect(await wrappedBy()).toHaveLength(1);
  expect(await given(next).decrypt(place, encrypted)).toEqual(seed);
});

test('a key file is not rotated for one instance alone while others may use the database', async () => {
  await keyring(new KeyFile(keyFile())).encrypt(place, seed);
  const former = await readFile(keyFile(), 'utf8');
  const rotation = keyring(new KeyFile(keyFile())).rotate(true);
  await expect(rotation).rejects.toThrow('write a new key in front of the present one');
  expect(await readFile(keyFile(), 'utf8')).toBe(former);
});

test('when a key is lost, what it encrypted stays lost, and new secrets are encrypted by another key', async () => {
  const [lost, found] = [newKeyText(), newKeyText()];
  const encrypted = await given(lost).encrypt(place, seed);
  const ring = given(found);
  expect(await ring.giveUpLost()).toBe(1);
  expect(await ring.problem()).toBeNull();
  await expect(ring.decrypt(place, encrypted)).rejects.toThrow(KeyEncryptionFault);
  expect(await ring.decrypt(place, await ring.encrypt(place, seed))).toEqual(seed);
  // It may turn up.
  expect(await given(found, lost).decrypt(place, encrypted)).toEqual(seed);
});

// A program ------------------------------------------------------------------------------------------------------------

const SERVICE = `
  const { operation, data, version, data_key_id: id, key_id: key } = JSON.parse(require('fs').readFileSync(0));
  if (version !== 1 || !id || (operation === 'unwrap' && key !== 'a-key')) process.exit(3);
  const turned = Buffer.from(data, 'base64').map((byte) => byte ^ 0x5a).toString('base64');
  console.log(JSON.stringify({ data: turned, key_id: 'a-key' }));`;

function program(script: string, timeoutMs = 30_000): Keyring {
  return keyring(new KeyProgram({ command: [process.execPath, '-e', script], timeoutMs }));
}

test('a program wraps and unwraps data keys in the place of a key', async () => {
  const ring = program(SERVICE);
  const encrypted = await ring.encrypt(place, seed);
  expect(await program(SERVICE).decrypt(place, encrypted)).toEqual(seed);
  expect(await wrappedBy()).toEqual(['a-key']);
  expect(await program(SERVICE.replaceAll("'a-key' }", "'b-key' }")).rotate(true)).toBe(1);
  expect(await wrappedBy()).toEqual(['b-key']);
});

test.each([
  ['fails', "console.error('no such key'); console.log('printed-key'); process.exit(7)", 'ended with 7: no such key'],
  ['says nothing', '', 'wrote something else than an object in JSON'],
  ['says too much', "process.stdout.write('x'.repeat(1e6))", 'wrote more than 65536 bytes'],
  ['names no key', 'console.log(\'{"data":"AAAA"}\')', 'answered without a "key_id"'],
])('a program that %s leaves secrets unusable, and the reason is known', async (_, script, reason) => {
  const problem = await program(script).problem();
  expect(problem).toContain(reason);
  expect(problem).not.toContain('printed-key');
  expect(await db.control.query('select from data_keys')).toEqual([]);
});

test('a program that hangs is ended after its time, and one that does not exist is named', async () => {
  expect(await program('setInterval(() => {}, 1000)', 200).problem()).toContain('took longer than 0.2 s');
  const none = keyring(new KeyProgram({ command: [join(directory, 'none')], timeoutMs: 1_000 }));
  expect(await none.problem()).toContain("can't be started (ENOENT)");
});
