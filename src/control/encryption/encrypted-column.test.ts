import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { granted, openAccount } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { identityParts, PASSWORD, seedOf, signedIn, visitor } from '../../../test/support/identity.ts';
import { testKeyring } from '../../../test/support/keyring.ts';
import { scopeOf } from '../../../test/support/scopes.ts';
import { UNPACED } from '../../../test/support/verify-ledger.ts';
import { claimNotices } from '../alerts/outbox-store.ts';
import { readSecrets } from '../alerts/send-webhook.ts';
import { TargetNetwork } from '../../lib/target-network.ts';
import {
  createWebhookEndpoint,
  FORMER_WEBHOOK_SECRET,
  rotateWebhookSecret,
  WEBHOOK_SECRET,
} from '../alerts/webhook-endpoints.ts';
import { queueWebhooks } from '../alerts/webhook-queue.ts';
import { writeBackup } from '../../program/database/backup.ts';
import { AUTHENTICATOR_SECRET, beginAuthenticator, confirmAuthenticator } from '../identity/authenticators.ts';
import { codeOf, stepAt } from '../identity/one-time-passwords.ts';
import { hashPassword } from '../identity/password-hash.ts';
import type { PasswordHasher } from '../identity/password-hasher.ts';
import { signIn } from '../identity/sign-in.ts';
import { SystemClock } from '../../lib/clock.ts';
import { encryptClearValues } from './encrypted-column.ts';
import { GivenKeys } from './given-keys.ts';
import { KeyEncryptionFault } from './key-encryption.ts';
import { Keyring } from './keyring.ts';
import { newKeyText } from './local-keys.ts';

const COLUMNS = [AUTHENTICATOR_SECRET, WEBHOOK_SECRET, FORMER_WEBHOOK_SECRET];

let db: TestDatabase;
let keyring: Keyring;
let hasher: PasswordHasher;
let enter: (email: string, code: string, ring?: Keyring) => ReturnType<typeof signIn>;
beforeAll(async () => {
  db = await startTestDatabase();
  const made = identityParts(db.control);
  ({ hasher } = made);
  ({ keyring } = made.parts);
  enter = (email, code, ring = keyring) =>
    signIn({ ...made.parts, keyring: ring }, visitor(), { email, password: PASSWORD, code });
});
afterAll(async () => {
  await hasher.stop();
  await db.stop();
});

const passwordHash = hashPassword(PASSWORD, { memory: 1_024, passes: 1, parallelism: 1 });
const network = new TargetNetwork([]);
const withoutKey = () => new Keyring(db.control, new GivenKeys('a test', newKeyText()), new SystemClock());

/** A user with an authenticator, as the version before encryption has stored it. */
async function formerUser(seed: Buffer): Promise<string> {
  const { userId, email } = await signedIn(db.control, { passwordHash });
  await db.control.query('insert into authenticators (user_id, secret, confirmed_at) values ($1, $2, now())', [
    userId,
    seed,
  ]);
  return email;
}

test('what earlier versions have stored in clear counts on, is encrypted slice by slice, and is erased', async () => {
  const seed = randomBytes(20);
  const email = await formerUser(seed);
  granted(await enter(email, codeOf(seed, stepAt(Date.now()))));
  for (let each = 0; each < 3; each++) await formerUser(randomBytes(20));
  await db.database.query(
    `insert into users (id, email, name) select gen_random_uuid(), 'u' || i || '@example.com', 'A user'
     from generate_series(1, 250) i`,
  );
  await db.database.query(
    `insert into authenticators (user_id, secret)
     select id, sha256(email::bytea) from users where email like 'u%@example.com' on conflict do nothing`,
  );
  const { workspace } = await openAccount(db.database);
  const scope = scopeOf(workspace.id, 'alerts:write');
  await db.database.query(
    `insert into webhook_endpoints (workspace_id, id, url, description, secret, former_secret, former_until)
     values ($1, gen_random_uuid(), 'https://hooks.example/', '', 'fg_whsec_a', 'fg_whsec_b', now() + interval '1 hour')`,
    [workspace.id],
  );
  const sign = async () => {
    await queueWebhooks(db.control, scope.workspaceId, { type: 'test', fields: {} });
    const [claimed] = await claimNotices(db.control, { channel: 'webhook', most: 1 });
    const notice = claimed?.notice;
    return notice?.channel === 'webhook' ? await readSecrets(keyring, notice) : null;
  };
  expect(await sign()).toMatchObject({ secrets: ['fg_whsec_a', 'fg_whsec_b'] });

  await Promise.all([1, 2].map(() => encryptClearValues(db.control, keyring, COLUMNS)));
  const clear = await db.database.query(
    `select from authenticators where secret is not null
     union all select from webhook_endpoints where num_nonnulls(secret, former_secret) > 0`,
  );
  expect(clear).toEqual([]);
  granted(await enter(email, codeOf(seed, stepAt(Date.now()) + 1)));
  expect(await sign()).toMatchObject({ secrets: ['fg_whsec_a', 'fg_whsec_b'] });
});

test('without its key a database refuses codes of apps and signatures, and takes recovery codes and new secrets', async () => {
  const { act, email, userId } = await signedIn(db.control, { passwordHash });
  const seed = seedOf(granted(await beginAuthenticator(db.control, keyring, act)).secret);
  const code = (steps: number): string => codeOf(seed, stepAt(Date.now()) + steps);
  const [recovery = ''] = granted(
    await db.control.transaction((tx) => confirmAuthenticator(tx, keyring, act, code(-1))),
  );
  await expect(enter(email, code(0), withoutKey())).rejects.toThrow(KeyEncryptionFault);
  granted(await enter(email, recovery, withoutKey()));
  granted(await enter(email, code(0)));

  const { workspace } = await openAccount(db.database);
  const scope = scopeOf(workspace.id, 'alerts:write');
  const settings = { url: 'https://hooks.example/', description: '' };
  const { endpoint } = granted(await createWebhookEndpoint(db.control, scope, settings, { network, keyring }));
  await queueWebhooks(db.control, scope.workspaceId, { type: 'test', fields: {} });
  const [claimed] = await claimNotices(db.control, { channel: 'webhook', most: 1 });
  const notice = claimed?.notice;
  if (notice?.channel !== 'webhook') throw new Error('a webhook was queued');
  expect(await readSecrets(withoutKey(), notice)).toMatchObject({ kind: 'failed' });
  const later = withoutKey();
  await later.giveUpLost();
  const rotation = { id: endpoint.id, overlapHours: 24, version: null };
  const rotated = granted(await rotateWebhookSecret(db.control, later, scope, rotation));
  // The former secret is lost.
  expect(rotated.endpoint.formerUntil).toBeNull();
  await db.database.query('delete from data_keys where lost_at is null');
  await db.database.query('update data_keys set lost_at = null');
  await db.database.query('delete from authenticators where user_id = $1', [userId]);
});

test('a backup holds no seed of an authenticator and no secret of a webhook', async () => {
  const { act } = await signedIn(db.control, { passwordHash });
  const { secret: shown } = granted(await beginAuthenticator(db.control, testKeyring(db.control), act));
  const { workspace } = await openAccount(db.database);
  const settings = { url: 'https://hooks.example/', description: '' };
  const scope = scopeOf(workspace.id, 'alerts:write');
  const { secret } = granted(
    await createWebhookEndpoint(db.control, scope, settings, { network, keyring: testKeyring(db.control) }),
  );
  const stream = new PassThrough();
  const [backup] = await Promise.all([
    text(stream.pipe(createGunzip())),
    writeBackup({ sql: db.control, pacer: UNPACED }, stream),
  ]);
  expect(backup).toContain('"encrypted_secret"');
  expect(backup).not.toContain(seedOf(shown).toString('hex'));
  expect(backup).not.toContain(secret ?? 'fg_whsec_');
});
