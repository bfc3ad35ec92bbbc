import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { testKeyring } from '../../../test/support/keyring.ts';
import { operatorScope } from '../../../test/support/scopes.ts';
import type { Refusal } from '../../domain/refusals.ts';
import type { Keyring } from '../encryption/keyring.ts';
import { removeDeclaration, storeModel, storeProvider } from './offer-changes.ts';
import { readStoredOffer, type StoredDeclaration } from './stored-offer.ts';

let db: TestDatabase;
let keyring: Keyring;
beforeAll(async () => {
  db = await startTestDatabase();
  keyring = testKeyring(db.control);
});
beforeEach(() => db.database.query('delete from offer_declarations'));
afterAll(() => db.stop());

const FILE = { providers: ['filed'], models: ['filed-model'] };
const HERE = { kind: 'openai', base_url: 'https://one.example/v1' };
const MODEL = {
  routes: [{ provider: 'one', model: 'm', cost: { input: '1', output: '2' } }],
  markup: '10%',
  context_window: 9_000,
  max_output: 99,
};

type Outcome = StoredDeclaration | Refusal;

const provider = (
  declaration: object = HERE,
  { name = 'one', apiKey, version = null }: { name?: string; apiKey?: string | null; version?: number | null } = {},
): Promise<Outcome> =>
  storeProvider({ sql: db.control, keyring, file: FILE }, operatorScope(), {
    name,
    declaration: { ...declaration },
    apiKey,
    version,
  });
const model = (declaration: object = MODEL, name = 'chat', version: number | null = null): Promise<Outcome> =>
  storeModel({ sql: db.control, file: FILE }, operatorScope(), { name, declaration: { ...declaration }, version });
const read = () => readStoredOffer(db.control, keyring, FILE);
const keyOf = async (): Promise<string | null | undefined> => (await read()).providers[0]?.config?.apiKey;

test('a stored provider and model are read as the config file would declare them, with the price of the mark-up', async () => {
  await provider(HERE, { apiKey: 'sk-1' });
  await model();
  const { providers, models } = await read();
  expect(providers).toMatchObject([{ name: 'one', version: 1, config: { kind: 'openai', apiKey: 'sk-1' } }]);
  expect(models[0]?.config?.terms.price.rates).toMatchObject({ input: 1_100_000_000n, output: 2_200_000_000n });
});

test('a key stays with the address for which it was entered: another address needs the key again', async () => {
  await provider(HERE, { apiKey: 'sk-1' });
  await provider({ ...HERE, drain: true });
  expect(await keyOf()).toBe('sk-1');
  const elsewhere = { ...HERE, base_url: 'https://other.example/v1' };
  expect(await provider(elsewhere)).toMatchObject({ code: 'INVALID_REQUEST', param: 'api_key' });
  expect(await provider({ ...HERE, kind: 'azure' })).toMatchObject({ code: 'INVALID_REQUEST', param: 'api_key' });
  await provider(elsewhere, { apiKey: 'sk-2' });
  expect(await keyOf()).toBe('sk-2');
  await provider(HERE, { apiKey: null });
  expect(await keyOf()).toBeNull();
});

test('a key that is copied to the row of another provider can not be used there', async () => {
  await provider(HERE, { apiKey: 'sk-1' });
  await provider({ ...HERE, base_url: 'https://thief.example/v1' }, { name: 'thief' });
  await db.database.query(
    `update offer_declarations set encrypted_key = (select encrypted_key from offer_declarations where name = 'one')
     where name = 'thief'`,
  );
  const thief = (await read()).providers.find(({ name }) => name === 'thief');
  expect(thief).toMatchObject({ config: null, problem: expect.stringMatching(/was changed, or moved/) as string });
});

test.each([
  ['the key in clear', { ...HERE, api_key: 'sk-1' }],
  ['a file of the machine with the key', { ...HERE, api_key_file: '/etc/shadow' }],
  ['a file with a token', { kind: 'azure', base_url: 'https://a.example', token_file: '/etc/shadow' }],
  ['files of certificates', { ...HERE, tls: { ca: '/etc/shadow' } }],
  ['a proxy', { ...HERE, proxy: 'http://u:p@h:1' }],
  ['an unknown key', { ...HERE, bsae_url: 'x' }],
  ['an unknown kind', { kind: 'oracle' }],
  ['no address', { kind: 'openai' }],
])('a stored provider with %s is refused', async (_, declaration) => {
  expect(await provider(declaration)).toMatchObject({ code: 'INVALID_REQUEST', param: 'declaration' });
});

test.each([
  [
    'an unknown provider',
    { ...MODEL, routes: [{ provider: 'two', model: 'm' }], markup: undefined, price: { input: '1', output: '1' } },
    /unknown provider/,
  ],
  ['neither a price nor a mark-up', { ...MODEL, markup: undefined }, /price is missing/],
  ['a cost of nothing known', { ...MODEL, routes: [{ provider: 'one', model: 'm' }] }, /routes\[0\]\.cost is missing/],
  ['a price as a number', { ...MODEL, markup: undefined, price: { input: 1, output: '1' } }, /quote it/],
  ['the id of another', { ...MODEL, id: 'other' }, /id of another/],
])('a stored model with %s is refused', async (_, declaration, said) => {
  await provider();
  const refusal = await model(declaration);
  expect(refusal).toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringMatching(said) as string });
});

test('a name of the config file is refused', async () => {
  expect(await provider(HERE, { name: 'filed' })).toMatchObject({ code: 'CONFLICT' });
  expect(await model(MODEL, 'filed-model')).toMatchObject({ code: 'CONFLICT' });
});

test('a change that expects another version is refused, and version zero is that of what is not there', async () => {
  expect(await provider(HERE, { version: 1 })).toMatchObject({ code: 'PRECONDITION_FAILED' });
  expect(await provider(HERE, { version: 0 })).toMatchObject({ version: 1 });
  expect(await provider(HERE, { version: 0 })).toMatchObject({ code: 'PRECONDITION_FAILED' });
  expect(await provider(HERE, { version: 1 })).toMatchObject({ version: 2 });
  const removal = { kind: 'provider', name: 'one', version: 1 } as const;
  expect(await removeDeclaration(db.control, operatorScope(), removal)).toMatchObject({ code: 'PRECONDITION_FAILED' });
});

test('of those who make the same provider or model at the same time, one does, and the others are refused', async () => {
  const outcomes = async (make: () => Promise<Outcome>) => {
    const all = await Promise.all([make(), make(), make(), make()]);
    return all.map((made) => ('code' in made ? made.code : 'made')).toSorted((one, other) => one.localeCompare(other));
  };
  const expected = ['made', 'PRECONDITION_FAILED', 'PRECONDITION_FAILED', 'PRECONDITION_FAILED'];
  expect(await outcomes(() => provider(HERE, { version: 0 }))).toEqual(expected);
  expect(await outcomes(() => model(MODEL, 'chat', 0))).toEqual(expected);
});

test('a provider stays while a stored model has a route to it', async () => {
  await provider();
  await model();
  const removed = { name: 'one', kind: 'provider', version: null } as const;
  expect(await removeDeclaration(db.control, operatorScope(), removed)).toMatchObject({ code: 'CONFLICT' });
  await removeDeclaration(db.control, operatorScope(), { kind: 'model', name: 'chat', version: null });
  expect(await removeDeclaration(db.control, operatorScope(), removed)).toMatchObject({ name: 'one' });
  expect(await removeDeclaration(db.control, operatorScope(), removed)).toMatchObject({ code: 'NOT_FOUND' });
});
