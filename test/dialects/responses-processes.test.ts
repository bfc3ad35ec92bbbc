import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import OpenAI, { NotFoundError } from 'openai';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { databaseUrl, startExternalPostgres } from '../support/external-postgres.ts';
import { type Program, startProgram } from '../support/program.ts';
import type { Tenant } from '../support/tenant.ts';

// Kept responses where several processes serve one database: a gateway with two workers, and another beside it.

const ROUNDS = 8;
/** Enough on the busiest machine. */
const PATIENCE = { timeout: 30_000, interval: 20 };

let programs: readonly [Program, Program];
let tenant: Tenant;
let stranger: Tenant;

function configText(responses: string): string {
  return `
responses: ${responses}
providers: { sandbox: { kind: sandbox } }
models:
  - { id: echo, routes: [{ provider: sandbox, model: echo }], price: { input: "1", output: "2" }, context_window: 9000, max_output: 99 }
`;
}

beforeAll(async () => {
  const postgres = await startExternalPostgres();
  const env = { DATABASE_URL: databaseUrl(postgres, await postgres.createDatabase(), postgres.port) };
  const config = configText('{ store_for: 1h }');
  const first = await startProgram({ config, env, args: ['--bootstrap', '--workers', '2'], beside: [postgres] });
  programs = [first, await startProgram({ config, env })];
  [tenant, stranger] = [await first.createTenant(), await first.createTenant()];
});

afterAll(async () => {
  for (const program of programs.toReversed()) await program.dispose();
});

/** A client of one of the gateways; each of its requests has a connection of its own, so that any worker may take it. */
function clientOf(number: number, { key } = tenant): OpenAI {
  const { url } = programs[number % 2 === 0 ? 0 : 1];
  return new OpenAI({
    apiKey: key,
    baseURL: `${url}/v1`,
    maxRetries: 0,
    defaultHeaders: { connection: 'close' },
  });
}

/** The id of a response that says so, plain or streamed; it is answered whole. */
async function say(client: OpenAI, input: string, { streamed = false, previous = '' } = {}): Promise<string> {
  const more = previous === '' ? {} : { previous_response_id: previous };
  if (!streamed) return (await client.responses.create({ model: 'echo', input, ...more })).id;
  const stream = client.responses.stream({ model: 'echo', input, ...more });
  return (await stream.finalResponse()).id;
}

async function inputsOf(client: OpenAI, id: string): Promise<string> {
  const items: unknown[] = [];
  for await (const item of client.responses.inputItems.list(id, { order: 'asc' })) items.push(item);
  return JSON.stringify(items);
}

test('a response that one process has kept is gone on from in every other as soon as its answer is whole', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const first = await say(clientOf(round), `first of ${round}`, { streamed: round % 3 === 0 });
    const second = await say(clientOf(round + 1), `second of ${round}`, {
      previous: first,
      streamed: round % 4 === 0,
    });
    const read = await inputsOf(clientOf(round), second);
    expect(read).toContain(`first of ${round}`);
    expect(read).toContain(`second of ${round}`);
  }
});

test('a response that was deleted in one process is gone in every other, and so is what went on from it', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const first = await say(clientOf(round), 'first');
    const second = await say(clientOf(round + 1), 'second', { previous: first });
    await clientOf(round + 1).responses.delete(first);
    const other = clientOf(round);
    await expect(other.responses.retrieve(first)).rejects.toThrow(NotFoundError);
    await expect(say(other, 'third', { previous: first })).rejects.toThrow(NotFoundError);
    await expect(say(other, 'third', { previous: second })).rejects.toThrow(NotFoundError);
  }
});

test('a response of another workspace is not found in any process', async () => {
  const id = await say(clientOf(0), 'mine');
  for (let round = 0; round < ROUNDS; round++) {
    const other = clientOf(round, stranger);
    await expect(other.responses.retrieve(id)).rejects.toThrow(NotFoundError);
    await expect(other.responses.delete(id)).rejects.toThrow(NotFoundError);
    await expect(say(other, 'theirs', { previous: id })).rejects.toThrow(NotFoundError);
  }
  expect(await inputsOf(clientOf(1), id)).toContain('mine');
});

/** Changes what both gateways keep, without a restart. */
async function configure(responses: string): Promise<void> {
  for (const { data } of programs) await writeFile(join(dirname(data), 'faregate.yaml'), configText(responses));
}

/** What becomes of so many requests that go on from a response which was just made, in all processes. */
async function goOn(): Promise<ReadonlySet<number>> {
  const statuses = await Promise.all(
    Array.from({ length: ROUNDS }, async (_, round) => {
      try {
        await say(clientOf(round + 1), 'on', { previous: await say(clientOf(round), 'begun') });
        return 200;
      } catch (fault) {
        return fault instanceof OpenAI.APIError ? Number(fault.status) : 0;
      }
    }),
  );
  return new Set(statuses);
}

test('what is kept follows the config file without a restart, and what was kept before stays', async () => {
  const kept = await say(clientOf(0), 'kept before');
  await configure('{ store_for: 0s }');
  await vi.waitFor(async () => expect(await goOn()).toEqual(new Set([400])), PATIENCE);
  await configure('{ store_for: 1h, store_max: 1KiB }');
  await vi.waitFor(async () => expect(await goOn()).toEqual(new Set([404])), PATIENCE);
  await configure('{ store_for: 1h }');
  await vi.waitFor(async () => expect(await goOn()).toEqual(new Set([200])), PATIENCE);
  expect(await inputsOf(clientOf(1), await say(clientOf(1), 'after', { previous: kept }))).toContain('kept before');
});
