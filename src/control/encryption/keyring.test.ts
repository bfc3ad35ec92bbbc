import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { DatabaseUnavailable, type Sql, type SqlRunner } from '../../lib/sql.ts';
import { CiphertextFault, type Place } from './envelope.ts';
import { GivenKeys } from './given-keys.ts';
import { type KeyEncryption, KeyEncryptionFault, RotationRefused } from './key-encryption.ts';
import { KeyFile } from './key-file.ts';
import { KeyProgram } from './key-program.ts';
import { Keyring } from './keyring.ts';
import { LocalKeys, newKeyText } from './local-keys.ts';

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
  // It counts within a second of being back.
  await writeFile(keyFile(), text);
  await clock.advance(1_000);
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

test('a rotation drops no key that a data key was wrapped by until it is committed that another wraps it', async () => {
  const encrypted = await keyring(new KeyFile(keyFile())).encrypt(place, seed);
  const former = await readFile(keyFile(), 'utf8');
  // The former key wraps a data key again while the rotation runs, and the transaction that mends that is lost.
  const lossy: Sql = {
    query: (text, values, options) => db.control.query(text, values, options),
    transaction: async (work, options) => {
      await rewrapBy(former);
      return await db.control.transaction(async (tx) => {
        let isMended = false;
        const query: SqlRunner['query'] = (text, values) => {
          isMended ||= text.startsWith('update data_keys');
          return tx.query(text, values);
        };
        const done = await work({ query });
        if (isMended) throw new DatabaseUnavailable('away');
        return done;
      }, options);
    },
  };
  await expect(keyring(new KeyFile(keyFile()), lossy).rotate(false)).rejects.toThrow('away');
  expect(await keyring(new KeyFile(keyFile())).decrypt(place, encrypted)).toEqual(seed);
});

async function rewrapBy(text: string): Promise<void> {
  const keys = LocalKeys.parse(`${text} ${await readFile(keyFile(), 'utf8')}`, 'a test');
  const rows = await db.control.query<{ id: string; wrappedBy: string; bytes: Buffer }>(
    'select id, wrapped_by as "wrappedBy", wrapped as bytes from data_keys',
  );
  for (const row of rows) {
    const bytes = keys.unwrap(row.id, row);
    if (bytes === null) throw new Error('a key is missing');
    const wrapped = keys.wrap(row.id, bytes);
    await db.control.query('update data_keys set wrapped_by = $2, wrapped = $3 where id = $1', [
      row.id,
      wrapped.wrappedBy,
      wrapped.bytes,
    ]);
  }
}

test('several processes that rotate the key at the same moment leave everything readable', async () => {
  const encrypted = await keyring(new KeyFile(keyFile())).encrypt(place, seed);
  for (let each = 0; each < 10; each++) {
    const rings = [1, 2, 3].map(() => keyring(new KeyFile(keyFile())));
    await Promise.all(rings.map((ring) => ring.rotate(false)));
    expect(await keyring(new KeyFile(keyFile())).decrypt(place, encrypted)).toEqual(seed);
  }
  expect((await readFile(keyFile(), 'utf8')).trim().split('\n')).toHaveLength(1);
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
  // It may turn up, and a rotation keeps what it opens.
  expect(await given(found, lost).decrypt(place, encrypted)).toEqual(seed);
  const next = newKeyText();
  await given(next, found, lost).rotate(true);
  expect(await given(next).decrypt(place, encrypted)).toEqual(seed);
});

test('a data key that was damaged in the database is reported, and can be given up', async () => {
  const key = newKeyText();
  await given(key).present();
  await db.database.query('update data_keys set wrapped = set_byte(wrapped, 40, (get_byte(wrapped, 40) + 1) % 256)');
  expect(await given(key).problem()).toContain('is damaged');
  expect(await given(key).giveUpLost()).toBe(1);
  expect(await given(key).problem()).toBeNull();
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

test('processes that make the key file at the same moment all use the one that came into its place', async () => {
  const files = Array.from({ length: 8 }, () => new KeyFile(keyFile()));
  await Promise.all(files.map((file) => file.make()));
  const dataKey = Buffer.alloc(32, 7);
  const wrapped = await Promise.all(files.map((file) => file.wrap('a-data-key', dataKey)));
  expect(new Set(wrapped.map((each) => each.wrappedBy)).size).toBe(1);
  for (const file of files) expect(await file.unwrap('a-data-key', wrapped[0]!)).toEqual(dataKey);
});

test('a program wraps and unwraps data keys in the place of a key', async () => {
  const ring = program(SERVICE);
  const encrypted = await ring.encrypt(place, seed);
  expect(await program(SERVICE).decrypt(place, encrypted)).toEqual(seed);
  expect(await wrappedBy()).toEqual(['a-key']);
  expect(await program(SERVICE.replaceAll("'a-key' }", "'b-key' }")).rotate(true)).toBe(1);
  expect(await wrappedBy()).toEqual(['b-key']);
});

test('a program whose service has lost a key lets it be given up, and one that wraps nothing gives up nothing', async () => {
  await program(SERVICE).present();
  const without = program(SERVICE.replaceAll("'a-key'", "'b-key'"));
  expect(await without.problem()).toContain('ended with 3');
  await expect(program('process.exit(9)').giveUpLost()).rejects.toThrow('ended with 9');
  expect(await program(SERVICE).problem()).toBeNull();
  expect(await without.giveUpLost()).toBe(1);
  expect(await without.problem()).toBeNull();
});

test('a program is started once for a key that many requests need, and not again until a while after it has failed', async () => {
  const encrypted = await program(SERVICE).encrypt(place, seed);
  const starts = join(directory, 'starts');
  const counted = (script: string): string => `require('fs').appendFileSync('${starts}', '+');${script}`;
  const started = async (): Promise<number> => (await readFile(starts, 'utf8')).length;
  const ring = program(counted(SERVICE));
  await Promise.all(Array.from({ length: 20 }, () => ring.decrypt(place, encrypted)));
  expect(await started()).toBe(1);
  const failing = program(counted('process.exit(7)'));
  const failures = () => Promise.allSettled(Array.from({ length: 20 }, () => failing.decrypt(place, encrypted)));
  await failures();
  await failures();
  expect(await started()).toBe(2);
  await clock.advance(1_000);
  await failures();
  expect(await started()).toBe(3);
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

test('a program that hangs is ended with the programs that it started, and one that does not exist is named', async () => {
  const started = join(directory, 'started');
  const hanging = `const child = require('child_process').spawn('sleep', ['60']);
    require('fs').writeFileSync('${started}', String(child.pid)); setInterval(() => {}, 1000)`;
  expect(await program(hanging, 1_000).problem()).toContain('took longer than 1 s');
  const child = Number(await readFile(started, 'utf8'));
  await eventually(() => expect(() => process.kill(child, 0)).toThrow('ESRCH'));
  const none = keyring(new KeyProgram({ command: [join(directory, 'none')], timeoutMs: 1_000 }));
  expect(await none.problem()).toContain("can't be started (ENOENT)");
});
