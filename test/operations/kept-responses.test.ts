import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { databaseUrl, type ExternalPostgres, startExternalPostgres } from '../support/external-postgres.ts';
import { TEST_KEY } from '../support/keyring.ts';
import { type Program, startProgram } from '../support/program.ts';
import type { Tenant } from '../support/tenant.ts';

// Kept responses are in the database, which all processes share, for as long and as many as the config file says.

/** Enough on the busiest machine. */
const PATIENCE = { timeout: 30_000, interval: 100 };

/** So many that both workers answer some of them. */
const MANY = 24;

function configText(responses = ''): string {
  return `${responses}
providers:
  sandbox: { kind: sandbox }
models:
  - { id: echo, routes: [{ provider: sandbox, model: echo }], price: { input: "1", output: "10" }, context_window: 128000, max_output: 4096 }
`;
}

interface Answer {
  readonly status: number;
  readonly id: string;
  readonly kept: boolean;
}

/** On a connection of its own, so that any worker may take it. */
async function respond(program: Program, { key }: Tenant, body: object): Promise<Answer> {
  const response = await fetch(`${program.url}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ model: 'echo', input: 'hi', ...body }),
  });
  const { id, store } = (await response.json()) as { id: string; store?: boolean };
  return { status: response.status, id, kept: store === true };
}

async function statusAt(program: Program, { key }: Tenant, id: string, method = 'GET'): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, connection: 'close' };
  const response = await fetch(`${program.url}/v1/responses/${id}`, { method, headers });
  await response.text();
  return response.status;
}

async function goOn(program: Program, tenant: Tenant, id: string): Promise<number> {
  return (await respond(program, tenant, { previous_response_id: id, store: false })).status;
}

describe('two programs on one database', () => {
  let postgres: ExternalPostgres;
  let first: Program;
  let second: Program;
  const running = new AsyncDisposableStack();
  afterAll(() => running.disposeAsync());
  beforeAll(async () => {
    postgres = await startExternalPostgres();
    running.defer(() => postgres.stop());
    const url = databaseUrl(postgres, await postgres.createDatabase(), postgres.port);
    const env = { DATABASE_URL: url, FAREGATE_SECRETS_KEY: TEST_KEY };
    const start = async (): Promise<Program> =>
      running.adopt(await startProgram({ config: configText(), args: ['--bootstrap'], env }), (program) =>
        program.dispose(),
      );
    [first, second] = [await start(), await start()];
  });

  test('what one has kept the other goes on from and deletes, and another workspace has it in neither', async () => {
    const [tenant, stranger] = [await first.createTenant(), await first.createTenant()];
    const { id } = await respond(first, tenant, {});
    const next = await respond(second, tenant, { previous_response_id: id });
    expect([next.status, await goOn(first, tenant, next.id)]).toEqual([200, 200]);
    for (const program of [first, second]) {
      expect(await goOn(program, stranger, id)).toBe(404);
      expect(await statusAt(program, stranger, id, 'DELETE')).toBe(404);
      expect(await statusAt(program, tenant, id)).toBe(200);
    }
    expect(await statusAt(second, tenant, id, 'DELETE')).toBe(200);
    for (const program of [first, second]) {
      expect(await statusAt(program, tenant, id)).toBe(404);
      expect([await goOn(program, tenant, id), await goOn(program, tenant, next.id)]).toEqual([404, 404]);
    }
  });
});

describe('two workers', () => {
  let program: Program;
  let tenant: Tenant;
  beforeAll(async () => {
    program = await startProgram({ config: configText(), args: ['--workers', '2'] });
    tenant = await program.createTenant();
  });
  afterAll(() => program.dispose());

  const write = (responses: string): Promise<void> =>
    writeFile(join(dirname(program.data), 'faregate.yaml'), configText(responses));

  /** Whether the answers of many requests can be gone on from, with any worker; null if only those of some can. */
  async function isKept(): Promise<boolean | null> {
    const answers = await Promise.all(Array.from({ length: MANY }, () => respond(program, tenant, {})));
    const statuses = await Promise.all(answers.map(({ id }) => goOn(program, tenant, id)));
    if (statuses.every((status) => status === 200)) return true;
    return statuses.includes(200) ? null : false;
  }

  async function untilKept(kept: boolean): Promise<void> {
    await vi.waitUntil(async () => (await isKept()) === kept, PATIENCE);
  }

  test('what one has kept the other finds, as soon as its caller has it', async () => {
    const database = await program.openDatabase();
    const workers = async (): Promise<number> => {
      const text = 'select distinct epoch_id from receipts where workspace_id = $1';
      return (await database.query(text, [tenant.workspaceId])).length;
    };
    let id: string | null = null;
    await vi.waitUntil(async () => {
      const answer: Answer = await respond(program, tenant, id === null ? {} : { previous_response_id: id });
      expect(answer.status).toBe(200);
      id = answer.id;
      return (await workers()) === 2;
    }, PATIENCE);
  });

  test('a reload that keeps none leaves what is there, which requests go on from once some are kept again', async () => {
    const { id, kept } = await respond(program, tenant, {});
    expect(kept).toBe(true);
    await write('responses: { store_for: 0s }');
    await untilKept(false);
    const after = await respond(program, tenant, {});
    expect([after.kept, await goOn(program, tenant, id), await statusAt(program, tenant, id)]).toEqual([
      false,
      400,
      200,
    ]);
    await write('');
    await untilKept(true);
    expect([await goOn(program, tenant, id), await goOn(program, tenant, after.id)]).toEqual([200, 404]);
  });

  test('a reload with less room than a workspace has taken keeps no more of it, and one with more does', async () => {
    const { id } = await respond(program, tenant, {});
    await write('responses: { store_max: 1KiB }');
    await untilKept(false);
    expect(await goOn(program, tenant, id)).toBe(200);
    await write('responses: { store_max: 1GiB }');
    await untilKept(true);
  });
});
