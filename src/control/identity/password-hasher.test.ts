import { argon2Sync } from 'node:crypto';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { isRefusal, refuse } from '../../domain/refusals.ts';
import { HASH_COST, hashPassword, isOutdated, isPassword, loadArgon2id } from './password-hash.ts';
import { HASH_QUEUES, type HashClient, PasswordHasher } from './password-hasher.ts';
import { PASSWORD_RULES, refusalOfPassword } from './password-rules.ts';

const stranger = (key = 'a site'): HashClient => ({ isKnown: false, key });
const known = (key: string): HashClient => ({ isKnown: true, key });
const HERE = stranger();
const HASHES = 16;

const hasher = new PasswordHasher();
afterAll(() => hasher.stop());

test('a password is known again by its hash, and no other is', async () => {
  const hash = await hasher.hash('correct horse', HERE);
  if (isRefusal(hash)) throw new Error(hash.message);
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(await hasher.check('correct horse', hash, HERE)).toEqual({ isRight: true, isOutdated: false });
  expect(await hasher.check('correct horsf', hash, HERE)).toEqual({ isRight: false, isOutdated: false });
  expect(await hasher.hash('correct horse', HERE)).not.toBe(hash);
});

test('a password hash of argon2 that another program made is checked as that program does', () => {
  // Of the reference implementation: argon2 saltsaltsaltsalt -id -t 2 -k 64 -p 1 -l 32 -e
  const theirs = '$argon2id$v=19$m=64,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$';
  const ours = hashPassword('password', { memory: 64, passes: 2, parallelism: 1 });
  expect(isPassword('password', ours)).toBe(true);
  expect(isPassword('password', theirs + 'A'.repeat(43))).toBe(false);
  expect(isPassword('password', 'no hash at all')).toBe(false);
});

test('a password is hashed alike on a Node without argon2', async () => {
  const inJavaScript = await loadArgon2id();
  const parameters = { memory: 64, passes: 2, parallelism: 1, tagLength: 32 };
  const [message, nonce] = [Buffer.from('pässword'), Buffer.from('saltsaltsaltsalt')];
  expect(inJavaScript({ ...parameters, message, nonce })).toEqual(
    argon2Sync('argon2id', { ...parameters, message, nonce }),
  );
});

test('a password hash of another cost than today counts as outdated, and still as right', async () => {
  const cheap = hashPassword('correct horse', { ...HASH_COST, memory: 1_024 });
  expect(isOutdated(cheap)).toBe(true);
  expect(await hasher.check('correct horse', cheap, HERE)).toEqual({ isRight: true, isOutdated: true });
  expect(isOutdated(hashPassword('correct horse'))).toBe(false);
});

test('letters that are composed in two ways make one password', async () => {
  const hash = await hasher.hash('Zürich am See'.normalize('NFD'), HERE);
  if (isRefusal(hash)) throw new Error(hash.message);
  expect(await hasher.check('Zürich am See'.normalize('NFC'), hash, HERE)).toMatchObject({ isRight: true });
});

test('without a hash no password is right, which takes as long to find out', async () => {
  const hash = await hasher.hash('correct horse', HERE);
  if (isRefusal(hash)) throw new Error(hash.message);
  // By the process's own time, which others on the machine don't stretch.
  const timed = async (given: string | null): Promise<number> => {
    const before = process.cpuUsage();
    expect(await hasher.check('wrong horse', given, HERE)).toEqual({ isRight: false, isOutdated: false });
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  const withHash: number[] = [];
  const without: number[] = [];
  for (let round = 0; round < 6; round++) {
    withHash.push(await timed(hash));
    without.push(await timed(null));
  }
  // The least of each is what it takes where nothing else is in the way.
  expect(Math.min(...without) / Math.min(...withHash)).toBeGreaterThan(1 / 3);
  expect(Math.min(...without) / Math.min(...withHash)).toBeLessThan(3);
});

test('hashes beyond the places of a client are refused with 503 and a time to come back, the others are all made', async () => {
  const most = HASH_QUEUES.strangers.mostPerKey;
  // One more is computed while the others wait.
  const results = await Promise.all(
    Array.from({ length: most + 4 }, (_, index) => hasher.hash(`secret ${index}`, HERE)),
  );
  const refused = results.filter(isRefusal);
  expect(refused).toHaveLength(3);
  expect(refused[0]).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterMs: 1_000 });
  expect(await hasher.check('secret 3', results[3] as string, HERE)).toMatchObject({ isRight: true });
});

test('a user who sets passwords without end, and a site that guesses without end, keep nobody else from signing in', async () => {
  const own = new PasswordHasher();
  const refused: string[] = [];
  const ask = (client: HashClient): void => {
    const done = own.hash('a secret', client).then((result) => isRefusal(result) && refused.push(client.key));
    // Hashes that wait fail when it is stopped.
    done.catch(() => undefined);
  };
  for (let count = 0; count < 40; count++) for (const client of [known('flood'), stranger('flood')]) ask(client);
  for (let count = 0; count < 15; count++) for (const client of [known(`${count}`), stranger(`${count}`)]) ask(client);
  await own.stop();
  expect(new Set(refused)).toEqual(new Set(['flood']));
  expect(refused.length).toBeGreaterThan(60);
});

test('strangers from any number of sites leave the places and turns of users who are known alone', async () => {
  const own = new PasswordHasher();
  onTestFinished(() => own.stop());
  let computed = 0;
  for (let index = 0; index < 60; index++) {
    const done = own.hash('a secret', stranger(`site ${index}`)).then((result) => {
      if (!isRefusal(result)) computed += 1;
    });
    done.catch(() => undefined);
  }
  expect(isRefusal(await own.hash('mine', known('ada')))).toBe(false);
  // The first was being computed already, and one turn may be a stranger's.
  expect(computed).toBeLessThanOrEqual(2);
});

test('hashes that wait when their thread is stopped fail, and later ones get a new thread', async () => {
  const own = new PasswordHasher();
  const waiting = own.hash('a secret', HERE).catch((fault: unknown) => String(fault));
  await own.stop();
  expect(await waiting).toContain('the password thread was stopped');
  expect(await own.hash('another secret', HERE)).toContain('$argon2id$');
  await own.stop();
});

test('hashes keep neither the event loop nor the writes of the journal waiting', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'faregate-hashes-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const file = await open(join(directory, 'journal'), 'w');
  const done = new AbortController();
  const all = Promise.all(
    Array.from({ length: HASHES }, (_, index) => hasher.hash(`secret ${index}`, stranger(`${index}`))),
  );
  const hashes = all.then(() => done.abort());
  let writes = 0;
  while (!done.signal.aborted) {
    await file.write('a charge\n');
    await file.sync();
    writes += 1;
  }
  await hashes;
  await file.close();
  // In Node's own pool a write would wait behind four hashes, and on the event loop behind all.
  expect(writes).toBeGreaterThan(2 * HASHES);
});

test('a password hash that can not be computed fails, with all that wait, and the next has a new thread', async () => {
  const own = new PasswordHasher();
  onTestFinished(() => own.stop());
  // Less memory than Argon2 takes.
  const impossible = hashPassword('correct horse', { memory: 64, passes: 1, parallelism: 1 }).replace('m=64', 'm=1');
  const fault = (promise: Promise<unknown>) =>
    promise.then(
      () => null,
      (error: unknown) => error,
    );
  const faults = await Promise.all([
    fault(own.check('correct horse', impossible, HERE)),
    fault(own.hash('waits', HERE)),
    fault(own.hash('waits', known('ada'))),
  ]);
  for (const each of faults) {
    expect(each).toMatchObject({ message: 'the password thread failed', cause: expect.any(Error) });
  }
  expect(await own.hash('another secret', HERE)).toContain('$argon2id$');
});

test('the thread of hashes ends once it has had nothing to do for a minute, and the next hash starts another', async () => {
  // The thread that other tests share may end at any time.
  await hasher.stop();
  const threads = vi.spyOn(Worker.prototype, 'terminate');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const own = new PasswordHasher();
  onTestFinished(() => own.stop());
  const hash = () => own.hash('a secret', HERE);
  expect(await hash()).toContain('$argon2id$');
  vi.advanceTimersByTime(59_999);
  expect(threads).not.toHaveBeenCalled();
  expect(await hash()).toContain('$argon2id$');
  vi.advanceTimersByTime(59_999);
  expect(threads).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(threads).toHaveBeenCalledTimes(1);
  expect(await hash()).toContain('$argon2id$');
  await own.stop();
  expect(threads).toHaveBeenCalledTimes(2);
  await own.stop();
  vi.advanceTimersByTime(120_000);
  expect(threads).toHaveBeenCalledTimes(2);
});

test('known clients and strangers take turns at the thread', async () => {
  const own = new PasswordHasher();
  onTestFinished(() => own.stop());
  const done: string[] = [];
  const ask = async (client: HashClient): Promise<void> => {
    await own.hash('a secret', client);
    done.push(client.key);
  };
  await Promise.all([
    ask(known('first')),
    ...['s1', 's2', 's3'].map((key) => ask(stranger(key))),
    ...['k1', 'k2'].map((key) => ask(known(key))),
  ]);
  expect(done).toEqual(['first', 's1', 'k1', 's2', 'k2', 's3']);
});

test('hashes of all who find no place are refused with a sentence for people', async () => {
  const own = new PasswordHasher();
  const results = Array.from({ length: 4 }, () => own.hash('a secret', known('ada')));
  expect(await results[3]).toEqual(
    refuse('SERVICE_UNAVAILABLE', 'Too many people are signing in: try again in a moment.', { retryAfterMs: 1_000 }),
  );
  const waiting = Promise.allSettled(results.slice(0, 3));
  await own.stop();
  expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
});

test.each([
  ['memory', { memory: 1_024 }],
  ['passes', { passes: 1 }],
  ['lanes', { parallelism: 2 }],
])('a hash that was made with other %s than today is outdated', (_what, change) => {
  const cost = { memory: 64, passes: 2, parallelism: 1 };
  expect(isOutdated(hashPassword('a secret', cost), cost)).toBe(false);
  expect(isOutdated(hashPassword('a secret', { ...cost, ...change }), cost)).toBe(true);
  expect(isOutdated('no hash', cost)).toBe(true);
});

test('a hash says what it cost, has a new salt each time, and is of this password alone', () => {
  const cost = { memory: 128, passes: 3, parallelism: 2 };
  const [one, other] = [hashPassword('a secret', cost), hashPassword('a secret', cost)];
  expect(one).toMatch(/^\$argon2id\$v=19\$m=128,t=3,p=2\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(one).not.toBe(other);
  for (const hash of [one, other]) {
    expect(isPassword('a secret', hash)).toBe(true);
    expect(isPassword('b secret', hash)).toBe(false);
  }
  for (const broken of [
    `${one}$`,
    ` ${one}`,
    one.replace('v=19', 'v=18'),
    one.slice(0, -1).replace('argon2id', 'argon2i'),
  ]) {
    expect(isPassword('a secret', broken)).toBe(false);
  }
});

test('the rules for passwords are one sentence', () => {
  expect(PASSWORD_RULES).toBe(
    'A password has 10 to 256 characters, is not the email address, and is not a common password.',
  );
});

test.each([
  ['short one', true],
  ['9 letters', true],
  ['10 letters', false],
  [`${'good '.repeat(51)}!`, false],
  [`${'good '.repeat(51)}!!`, true],
  ['abcabcabcabc', true],
  ['abcdabcdabcd', false],
  ['ANNA.EXAMPLE@EXAMPLE.COM', true],
  ['anna.example20261', false],
  ['anna.example2026!', false],
  ['1anna.example', false],
  ['Password123', true],
  ['1234567890', true],
  ['aaaaaaaaaaaaa', true],
  ['ababababababab', true],
  ['anna.example', true],
  ['anna.example2026', true],
  ['anna.example@example.com', true],
  ['x'.repeat(300), true],
  ['a long enough secret', false],
  ['Ünïcödé wörks tòo', false],
])('the password %s is refused: %s', (password, isRefused) => {
  const refusal = refusalOfPassword(password, 'anna.example@example.com');
  expect(refusal).toEqual(isRefused ? refuse('INVALID_REQUEST', PASSWORD_RULES, { param: 'password' }) : null);
});
