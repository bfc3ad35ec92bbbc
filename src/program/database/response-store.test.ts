import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { testKeyring } from '../../../test/support/keyring.ts';
import { GivenKeys } from '../../control/encryption/given-keys.ts';
import { Keyring } from '../../control/encryption/keyring.ts';
import { newKeyText } from '../../control/encryption/local-keys.ts';
import { DatabaseUnavailable } from '../../lib/sql.ts';
import { encryptClearResponses } from './clear-responses.ts';
import { SystemClock } from '../../lib/clock.ts';
import { EVENT_LOOP } from '../../gate/turns/stages.ts';
import { ResponseKeeper } from './response-keeper.ts';
import { PostgresResponseStore, pruneResponses } from './response-store.ts';

const HOUR_MS = 3_600_000;

let db: TestDatabase;
let keyring: Keyring;
beforeAll(async () => {
  db = await startTestDatabase();
  keyring = testKeyring(db.control);
});
afterAll(() => db.stop());

const lost: string[] = [];
afterEach(() => void lost.splice(0));

/** A store as each process has one. */
function openStore({
  keepMs = HOUR_MS,
  bytesMax = 2 ** 30,
  sql = db.database,
  ring = keyring,
} = {}): PostgresResponseStore {
  const onLost = (requestId: string): void => void lost.push(requestId);
  const keeper = new ResponseKeeper({ sql, keyring: ring, clock: new SystemClock(), turns: EVENT_LOOP, onLost });
  return new PostgresResponseStore({
    sql,
    control: db.control,
    keeper,
    keyring: ring,
    clock: new SystemClock(),
    limits: { keepMs, bytesMax },
  });
}

interface Said {
  readonly responseId: string;
  readonly previous?: string | null;
  readonly goesOnFrom?: readonly string[];
  readonly text?: string;
  readonly itemId?: string;
}

let requests = 0;

/** Rises with each request, also within a millisecond. */
function nextRequestId(): string {
  requests += 1;
  return `01a20c5c-599d-7000-8000-${String(requests).padStart(12, '0')}`;
}

/** Keeps a response that says something; the id of its request. */
async function keep(store: PostgresResponseStore, workspaceId: string, said: Said): Promise<string> {
  const { responseId, previous = null, goesOnFrom = [], text = 'x', itemId = `msg_${responseId}` } = said;
  const requestId = nextRequestId();
  const output = Buffer.from(JSON.stringify({ id: itemId, text }));
  const entry = {
    responseId,
    input: [Buffer.from('{"role":'), Buffer.from(`"user","content":"asked ${responseId}"}`)],
    output,
    outputItems: [
      { id: itemId, start: 0, length: output.length },
      { id: `shell_${responseId}`, start: 0, length: 0 },
    ],
    response: Buffer.from(JSON.stringify({ id: responseId, output: [{ text }] })),
  };
  await store.keep({ workspaceId, requestId, previousRequestId: previous, goesOnFrom, entry });
  return requestId;
}

async function chainOf(store: PostgresResponseStore, workspaceId: string, id: string, bytesMax = 2 ** 26) {
  const chain = await store.findChain(workspaceId, id, bytesMax);
  return typeof chain === 'string' ? chain : (JSON.parse(`[${Buffer.concat(chain.items).toString()}]`) as unknown[]);
}

test('what one process has kept is found by another, the whole conversation in its order', async () => {
  const [one, other] = [openStore(), openStore()];
  const workspace = randomUUID();
  const first = await keep(one, workspace, { responseId: 'resp_a' });
  const second = await keep(other, workspace, { responseId: 'resp_b', previous: first, goesOnFrom: [first] });
  await keep(one, workspace, {
    responseId: 'resp_c',
    previous: second,
    goesOnFrom: [first, second],
    text: 'é'.repeat(300_000),
  });
  const chain = await other.findChain(workspace, 'resp_c', 2 ** 26);
  expect(chain).toMatchObject({ requestIds: [first, second, expect.any(String)] });
  const said = (id: string, text: string) => [
    { role: 'user', content: `asked ${id}` },
    { id: `msg_${id}`, text },
  ];
  const long = 'é'.repeat(300_000);
  expect(await chainOf(other, workspace, 'resp_c')).toEqual([
    ...said('resp_a', 'x'),
    ...said('resp_b', 'x'),
    ...said('resp_c', long),
  ]);
  expect(JSON.parse(Buffer.concat((await other.read(workspace, 'resp_c')) ?? []).toString())).toEqual({
    id: 'resp_c',
    output: [{ text: long }],
  });
  expect(await chainOf(other, workspace, 'resp_c', 500_000)).toBe('too_large');
});

test('single items are found by their ids, and those of which nothing is left are empty', async () => {
  const store = openStore();
  const workspace = randomUUID();
  const requestId = await keep(store, workspace, { responseId: 'resp_a', text: 'long' });
  const found = await store.findItems(workspace, ['msg_resp_a', 'shell_resp_a', 'msg_never', 'msg_resp_a'], 1_000);
  if (found === 'too_large') throw new Error('it is small');
  expect([...found.items].map(([id, item]) => [id, item.toString()])).toEqual([
    ['msg_resp_a', '{"id":"msg_resp_a","text":"long"}'],
    ['shell_resp_a', ''],
  ]);
  expect(found.requestIds).toEqual([requestId]);
  expect(await store.findItems(workspace, ['msg_resp_a'], 10)).toBe('too_large');
});

test('of two responses with the same id, as some servers name them, the newest is found', async () => {
  const store = openStore();
  const workspace = randomUUID();
  await keep(store, workspace, { responseId: 'resp_0', text: 'old', itemId: 'msg_0' });
  const newest = await keep(store, workspace, { responseId: 'resp_0', text: 'new', itemId: 'msg_0' });
  expect(await store.findChain(workspace, 'resp_0', 1_000)).toMatchObject({ requestIds: [newest] });
  const found = await store.findItems(workspace, ['msg_0'], 1_000);
  expect(found).toMatchObject({ requestIds: [newest] });
  expect(await store.delete(workspace, 'resp_0')).toBe(true);
  expect(await store.findChain(workspace, 'resp_0', 1_000)).toBe('missing');
});

test('ids of any visible characters are kept as they are', async () => {
  const store = openStore();
  const workspace = randomUUID();
  const ids = ['NULL', '{}', 'a,b', '"', '\\', '\\"', 'null', "'", '$1', '""'];
  await Promise.all(ids.map((id) => keep(store, workspace, { responseId: id, itemId: `${id}${id}` })));
  expect(lost).toEqual([]);
  const wholes = await Promise.all(ids.map((id) => store.read(workspace, id)));
  expect(wholes.map((pieces) => JSON.parse(Buffer.concat(pieces ?? []).toString()) as unknown)).toEqual(
    ids.map((id) => ({ id, output: [{ text: 'x' }] })),
  );
  const found = await store.findItems(
    workspace,
    ids.map((id) => `${id}${id}`),
    10_000,
  );
  expect(found).toMatchObject({ items: new Map(ids.map((id) => [`${id}${id}`, expect.any(Buffer)])) });
});

test('what is committed behind a response on the same connection waits for the disk as ever', async () => {
  const single = await startTestDatabase({ connectionsMax: 1 });
  try {
    const store = openStore({ sql: single.database });
    await keep(store, randomUUID(), { responseId: 'resp_a' });
    expect(lost).toEqual([]);
    expect(await single.database.query('show synchronous_commit')).toEqual([{ synchronous_commit: 'on' }]);
  } finally {
    await single.stop();
  }
});

test('nothing of a workspace is there for another one, even if it names it as its own previous response', async () => {
  const store = openStore();
  const [own, other] = [randomUUID(), randomUUID()];
  const first = await keep(store, own, { responseId: 'resp_a' });
  expect(await store.findChain(other, 'resp_a', 1_000)).toBe('missing');
  expect(await store.findItems(other, ['msg_resp_a'], 1_000)).toEqual({ items: new Map(), requestIds: [] });
  expect(await store.read(other, 'resp_a')).toBeNull();
  expect(await store.delete(other, 'resp_a')).toBe(false);
  await keep(store, other, { responseId: 'resp_b', previous: first });
  expect(await store.findChain(other, 'resp_b', 1_000)).toBe('missing');
});

test('a response that another goes on from is kept as long as that, and what has expired is deleted', async () => {
  const workspace = randomUUID();
  const brief = openStore({ keepMs: 60 });
  const first = await keep(brief, workspace, { responseId: 'resp_first' });
  await keep(brief, workspace, { responseId: 'resp_alone' });
  await keep(openStore(), workspace, { responseId: 'resp_next', previous: first, goesOnFrom: [first] });
  const other = randomUUID();
  const gone = await keep(brief, other, { responseId: 'resp_gone' });
  await keep(openStore(), other, { responseId: 'resp_cut', previous: gone });
  await db.database.query("select pg_sleep_for('70 ms')");
  expect(await chainOf(brief, workspace, 'resp_next')).toHaveLength(4);
  expect(await chainOf(brief, other, 'resp_cut')).toBe('missing');
  expect(await chainOf(brief, workspace, 'resp_alone')).toBe('missing');
  await pruneResponses(db.control);
  expect(await responsesOf(workspace)).toEqual(['resp_first', 'resp_next']);
});

test('a workspace that has as much as it may keeps no more, until something has expired, and others are not affected', async () => {
  const [store, brief] = [openStore({ bytesMax: 2_000 }), openStore({ keepMs: 60, bytesMax: 2_000 })];
  const [workspace, other] = [randomUUID(), randomUUID()];
  const text = 'x'.repeat(800);
  await keep(brief, workspace, { responseId: 'resp_first', text });
  const refused = await keep(store, workspace, { responseId: 'resp_second', text });
  await keep(store, other, { responseId: 'resp_other', text });
  expect(lost).toEqual([refused]);
  expect(await responsesOf(workspace)).toEqual(['resp_first']);
  await db.database.query("select pg_sleep_for('70 ms')");
  await pruneResponses(db.control);
  await keep(store, workspace, { responseId: 'resp_third', text });
  expect(await responsesOf(workspace)).toEqual(['resp_third']);
  expect(await responsesOf(other)).toEqual(['resp_other']);
});

test('a process keeps nothing for a workspace that was found full, until it deletes a response of its', async () => {
  const store = openStore({ bytesMax: 2_000 });
  const [workspace, other] = [randomUUID(), randomUUID()];
  const text = 'x'.repeat(800);
  for (const owner of [workspace, other]) {
    for (const responseId of ['resp_first', 'resp_second']) await keep(store, owner, { responseId, text });
  }
  const keepsFor = () => [workspace, other].map((owner) => store.keepsFor(owner));
  expect(keepsFor()).toEqual([false, false]);
  expect(await store.delete(workspace, 'resp_second')).toBe(false);
  expect(keepsFor()).toEqual([false, false]);
  expect(await store.delete(workspace, 'resp_first')).toBe(true);
  expect(keepsFor()).toEqual([true, false]);
});

test('of responses that are written together and do not fit together each that fits is kept', async () => {
  const store = openStore({ bytesMax: 2_600 });
  const [workspace, other] = [randomUUID(), randomUUID()];
  await keep(store, other, { responseId: 'resp_before' });
  const sizes = [
    ['a', 700],
    ['b', 1_500],
    ['c', 10],
    ['d', 9_000],
    ['e', 20],
  ] as const;
  const said = sizes.map(([name, length]) =>
    keep(store, workspace, { responseId: `resp_${name}`, text: 'x'.repeat(length) }),
  );
  await Promise.all([...said, keep(store, other, { responseId: 'resp_other' })]);
  expect(await responsesOf(workspace)).toEqual(['resp_a', 'resp_c', 'resp_e']);
  expect(await responsesOf(other)).toEqual(['resp_before', 'resp_other']);
  expect(lost.length).toBe(2);
  const items = await db.database.query('select from stored_response_items where workspace_id = $1', [workspace]);
  expect(items.length).toBe(6);
  const counted = `select b.bytes, (select sum(octet_length(items) + octet_length(response)) from stored_responses r
      where r.workspace_id = b.workspace_id) as stored from stored_response_bytes b where workspace_id = $1`;
  const [{ bytes, stored } = { bytes: 0n, stored: null }] = await db.database.query<{
    bytes: bigint;
    stored: bigint | null;
  }>(counted, [workspace]);
  expect(bytes).toBe(stored);
});

test('a closed workspace leaves nothing', async () => {
  const store = openStore();
  const [row] = await db.database.query<{ id: string }>(
    "insert into workspaces (id, name, archived_at) values (gen_random_uuid(), 'closed', now()) returning id",
  );
  const workspace = row?.id ?? '';
  await Promise.all(Array.from({ length: 230 }, (_, at) => keep(store, workspace, { responseId: `resp_${at}` })));
  await pruneResponses(db.control);
  expect(await responsesOf(workspace)).toEqual([]);
  const items = 'select from stored_response_items where workspace_id = $1';
  expect(await db.database.query(items, [workspace])).toEqual([]);
});

async function responsesOf(workspace: string): Promise<readonly string[]> {
  const text = 'select response_id as id from stored_responses where workspace_id = $1 order by 1';
  return (await db.database.query<{ id: string }>(text, [workspace])).map(({ id }) => id);
}

test('what a response was made from is found in pieces, without its own answer, for its workspace alone', async () => {
  const store = openStore();
  const workspace = randomUUID();
  const text = 'long '.repeat(120_000);
  const first = await keep(store, workspace, { responseId: 'resp_in_1', text });
  const second = await keep(store, workspace, { responseId: 'resp_in_2', previous: first, goesOnFrom: [first] });
  const found = await store.findInput(workspace, 'resp_in_2', 2 ** 26);
  const parsed = (typeof found === 'string' ? [] : found).map(({ requestId, pieces }) => [
    requestId,
    JSON.parse(`[${Buffer.concat(pieces).toString()}]`),
  ]);
  const asked = (id: string): object => ({ role: 'user', content: `asked ${id}` });
  expect(parsed).toEqual([
    [first, [asked('resp_in_1'), { id: 'msg_resp_in_1', text }]],
    [second, [asked('resp_in_2')]],
  ]);
  expect(await store.findInput(workspace, 'resp_in_2', 500_000)).toBe('too_large');
  expect(await store.findInput(workspace, 'resp_in_1', 500_000)).toMatchObject([{ requestId: first }]);
  expect(await store.findInput(randomUUID(), 'resp_in_2', 2 ** 26)).toBe('missing');
  expect(await store.findInput(workspace, 'resp_never', 2 ** 26)).toBe('missing');
});

test('what is kept lies encrypted in the database, and is nothing without the key', async () => {
  const [store, workspace] = [openStore(), randomUUID()];
  await keep(store, workspace, { responseId: 'resp_secret', text: 'a word that nobody else may read' });
  const [row] = await db.database.query<{ items: Buffer; response: Buffer; encrypted: boolean }>(
    'select items, response, encrypted from stored_responses where workspace_id = $1',
    [workspace],
  );
  expect(row?.encrypted).toBe(true);
  expect(
    Buffer.concat([row?.items ?? Buffer.alloc(0), row?.response ?? Buffer.alloc(0)]).toString('latin1'),
  ).not.toMatch(/nobody|user|resp_secret/);
  expect(await store.findItems(workspace, ['msg_resp_secret'], 1_000)).toMatchObject({
    items: new Map([['msg_resp_secret', expect.any(Buffer)]]),
  });
  const stranger = new Keyring(db.control, new GivenKeys('a test', newKeyText()), new SystemClock());
  const without = openStore({ ring: stranger });
  await expect(without.findChain(workspace, 'resp_secret', 1_000)).rejects.toThrow(DatabaseUnavailable);
  await expect(without.read(workspace, 'resp_secret')).rejects.toThrow(DatabaseUnavailable);
  const requestId = await keep(without, workspace, { responseId: 'resp_later' });
  expect(lost).toEqual([requestId]);
});

test('what earlier versions have kept in clear is found, and is encrypted as it stands', async () => {
  const [store, workspace] = [openStore(), randomUUID()];
  const [first, second] = [randomUUIDv7(), randomUUIDv7()];
  const insert = (requestId: string, previous: string | null, id: string, input: string, output: string) =>
    db.database.query(
      `with kept as (
         insert into stored_responses (request_id, workspace_id, response_id, previous_request_id, expires_at, items,
           input_length, response)
         values ($1, $2, $3, $4, now() + interval '1 hour', convert_to($5, 'UTF8'), $6, convert_to($7, 'UTF8'))
       )
       insert into stored_response_items (workspace_id, item_id, request_id, starts_at, length)
       values ($2, $8, $1, $9, $10), ($2, $8 || '_none', $1, $6, 0)`,
      [
        requestId,
        workspace,
        id,
        previous,
        output === '' ? input : `${input},${output}`,
        input.length,
        `{"id":"${id}"}`,
        `msg_${id}`,
        input.length + 1,
        output.length,
      ],
    );
  await insert(first, null, 'old_1', '{"a":1}', '{"b":2}');
  await insert(second, first, 'old_2', '{"c":3}', '');
  const found = async () => ({
    chain: await chainOf(store, workspace, 'old_2'),
    input: await store.findInput(workspace, 'old_2', 1_000),
    items: await store.findItems(workspace, ['msg_old_1', 'msg_old_1_none', 'msg_old_2'], 1_000),
    answer: String(Buffer.concat([...((await store.read(workspace, 'old_1')) ?? [])])),
  });
  const text = (value: unknown): string =>
    JSON.stringify(value, (_key, each: unknown) => (each instanceof Map ? [...each] : each));
  const before = await found();
  expect(before).toMatchObject({ chain: [{ a: 1 }, { b: 2 }, { c: 3 }], answer: '{"id":"old_1"}' });
  await encryptClearResponses(db.control, keyring);
  expect(await db.database.query('select from stored_responses where not encrypted')).toEqual([]);
  const after = await found();
  expect(after.chain).toEqual(before.chain);
  expect(after.answer).toBe(before.answer);
  expect(text(after.items)).toBe(text(before.items));
});
