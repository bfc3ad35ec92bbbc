import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Program, startProgram } from '../support/program.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { beginStream, DONE, event, finish, gradually, text, usageChunk } from '../wire/upstream-scripts.ts';

// The config file changes while requests run. None of them may notice: each ends as the configuration that it began with
// says, and what comes after a change goes by the new one.

const CLIENTS = 8;
/** Enough on the busiest machine. A change of the file is seen after a quarter of a second at the soonest. */
const PATIENCE = { timeout: 30_000, interval: 100 };

/** A server that knows one model and one key, and says its own name, slowly enough for a change to come in between. */
async function startStrictUpstream(name: string): Promise<ScriptedUpstream> {
  return await startScriptedUpstream((response, request) => {
    const body = JSON.parse(request.body.toString()) as { model: string; stream?: boolean };
    const isRight = body.model === `model-of-${name}` && request.headers.authorization === `Bearer key-of-${name}`;
    if (!isRight) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"no such model"}}');
    } else if (body.stream === true) {
      gradually(async () => {
        beginStream(response);
        for (const piece of [name, ...'.........'.split('')]) {
          response.write(event(text(piece)));
          await sleep(20);
        }
        response.end(event(finish()) + event(usageChunk()) + DONE);
      })(response, request);
    } else {
      const message = { role: 'assistant', content: name };
      const usage = { prompt_tokens: 7, completion_tokens: 5 };
      const answer = { id: 'c', object: 'chat.completion', created: 1, model: 'm' };
      const choices = [{ index: 0, message, finish_reason: 'stop' }];
      gradually(async () => {
        await sleep(50);
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ ...answer, choices, usage }));
      })(response, request);
    }
  });
}

const UPSTREAMS = ['east', 'west'] as const;
type UpstreamName = (typeof UPSTREAMS)[number];
let upstreams: Record<UpstreamName, ScriptedUpstream>;

beforeAll(async () => {
  upstreams = { east: await startStrictUpstream('east'), west: await startStrictUpstream('west') };
});
afterAll(async () => {
  await Promise.all(Object.values(upstreams).map((upstream) => upstream.stop()));
});

interface Settings {
  readonly to: UpstreamName;
  readonly more?: string;
  readonly models?: readonly string[];
  readonly price?: string;
}

/** The provider's name stays while all that it stands for changes, and the model's name there with it. */
function configText({ to, more = '', models = ['chat'], price = '1' }: Settings): string {
  const route = `[{ provider: away, model: m }, { provider: main, model: model-of-${to} }]`;
  return `${more}
providers:
  main: { kind: openai, base_url: "${upstreams[to].origin}/v1", api_key: key-of-${to} }
  away: { kind: openai, base_url: "http://127.0.0.1:1/v1" }
models:
${models
  .map(
    (id) =>
      `  - { id: ${id}, routes: ${route}, price: { input: "${price}", output: "2" }, context_window: 9000, max_output: 99 }\n`,
  )
  .join('')}`;
}

test('a first config file beside a running instance is taken up as any change of it is', async () => {
  const program = await startProgram();
  const statusOf = async (model: string): Promise<number> =>
    (await program.chat(program.key, { model, messages: [{ role: 'user', content: 'hi' }] })).status;
  try {
    expect(await statusOf('sandbox/echo')).toBe(200);
    const file = join(dirname(program.data), 'faregate.yaml');
    await writeFile(file, configText({ to: 'east' }));
    await vi.waitFor(async () => expect(await statusOf('chat')).toBe(200), PATIENCE);
    expect(await statusOf('sandbox/echo')).toBe(404);
    expect(await program.admin.showSettings()).toMatchObject({ file, problem: null });
  } finally {
    await program.dispose();
  }
});

describe.each([1, 2])('with %d worker(s)', (workers) => {
  let program: Program;
  beforeAll(async () => {
    program = await startProgram({
      config: configText({ to: 'east' }),
      args: ['--workers', String(workers)],
    });
  });
  afterAll(() => program.dispose());

  const write = (settings: Settings | string): Promise<void> =>
    writeFile(
      join(dirname(program.data), 'faregate.yaml'),
      typeof settings === 'string' ? settings : configText(settings),
    );

  async function ask(model = 'chat', stream = false): Promise<{ status: number; said: string }> {
    const messages = [{ role: 'user', content: 'hi' }];
    const response = await program.chat(program.key, { model, stream, messages });
    return { status: response.status, said: await response.text() };
  }

  /** Each worker has its own connections; some requests in a row are answered by both of them. */
  async function askAll(model?: string): Promise<readonly { status: number; said: string }[]> {
    return await Promise.all(Array.from({ length: 8 }, () => ask(model)));
  }

  /** Kills a worker, and resolves once another is there in its place. */
  async function replaceWorker(): Promise<void> {
    const database = await program.openDatabase();
    const live = async (): Promise<readonly string[]> => {
      const rows = await database.query<{ process_name: string }>(
        'select process_name from epochs where fenced_at is null order by id',
      );
      return rows.map(({ process_name: name }) => name);
    };
    const before = await live();
    process.kill(Number(/\d+$/.exec(before[0] ?? '')?.[0]), 'SIGKILL');
    await vi.waitFor(async () => {
      const now = await live();
      expect([now.length, now.includes(before[0] ?? '')]).toEqual([workers, false]);
    }, PATIENCE);
  }

  const logged = (line: string): number => program.stderr().split(line).length - 1;

  /** Clients that ask again and again until they are stopped; answers with what became of all that they asked. */
  function startLoad(): { stop(): Promise<readonly string[]> } {
    const outcomes: string[] = [];
    const load = { isStopped: false };
    const running = Array.from({ length: CLIENTS }, async (_, index) => {
      const stream = index % 4 !== 0;
      while (!load.isStopped) {
        const { status, said } = await ask('chat', stream);
        const isWhole = status === 200 && (!stream || said.endsWith(DONE));
        outcomes.push(isWhole ? 'whole' : `${status} ${said}`);
      }
    });
    return {
      async stop() {
        load.isStopped = true;
        await Promise.all(running);
        return outcomes;
      },
    };
  }

  test('a reload fails no request under way, and the next one goes by the new route', async () => {
    const load = startLoad();
    for (let change = 0; change < 6; change++) {
      const to = UPSTREAMS[(change + 1) % 2] ?? 'east';
      await write({ to });
      // The file's change and the signal are two ways to the same end, and may come together.
      if (change % 3 === 1) process.kill(program.pid, 'SIGHUP');
      await vi.waitFor(async () => {
        for (const { said } of await askAll()) expect(said).toContain(to);
      }, PATIENCE);
    }
    const outcomes = await load.stop();
    expect([...new Set(outcomes)]).toEqual(['whole']);
    expect(outcomes.length).toBeGreaterThan(10 * CLIENTS);
  });

  test.runIf(workers === 1)('a reload lets models come and go with the file', async () => {
    await write({ to: 'east', models: ['chat', 'other'] });
    await vi.waitFor(async () => {
      for (const { status } of await askAll('other')) expect(status).toBe(200);
    }, PATIENCE);
    await write({ to: 'east' });
    await vi.waitFor(async () => {
      for (const { status } of await askAll('other')) expect(status).toBe(404);
    }, PATIENCE);
  });

  test('a reload of a file with a mistake changes nothing, and the log says where the mistake is', async () => {
    await write(`${configText({ to: 'west' })}  - { id: oops }\n`);
    await vi.waitUntil(() => program.stderr().includes('faregate.yaml:7:5: models[1].routes is missing'), PATIENCE);
    for (const { said } of await askAll()) expect(said).toContain('east');
    await write({ to: 'west' });
    await vi.waitFor(async () => {
      for (const { said } of await askAll()) expect(said).toContain('west');
    }, PATIENCE);
  });

  test('a reload of a file that has lost its models takes none off sale until somebody says that they are to go', async () => {
    const admin = program.admin;
    const untilAllSay = (to: string): Promise<void> =>
      vi.waitFor(async () => {
        for (const { said } of await askAll()) expect(said).toContain(to);
      }, PATIENCE);
    const providersAlone = configText({ to: 'west' }).split('models:')[0] ?? '';
    for (const emptied of [providersAlone, '']) {
      await write({ to: 'east' });
      await untilAllSay('east');
      await write({ to: 'west' });
      await untilAllSay('west');
      const warned = logged('lacks most of the models on sale');
      await write(emptied);
      await vi.waitUntil(() => logged('lacks most of the models on sale') > warned, PATIENCE);
      for (const { said } of await askAll()) expect(said).toContain('west');
    }
    if (workers > 1) {
      // Both of them, the older one first.
      for (let count = 0; count < workers; count++) await replaceWorker();
      for (const { said } of await askAll()) expect(said).toContain('west');
    }
    const file = join(dirname(program.data), 'faregate.yaml');
    expect((await program.cli('config', 'check', '--config', file)).stdout).toMatch(
      /has no models, so every request will be refused.*\n.*1 of 1 models off sale: chat/,
    );
    expect((await admin.showStatus()).problems.join()).toMatch(/lacks most of the models .*: chat/);
    expect((await program.cli('catalogue', 'apply')).stderr).toMatch(/off sale: chat; .*--accept chat/);

    await admin.applyCatalogue({ accept: ['chat'] });
    await vi.waitFor(async () => {
      for (const { status } of await askAll()) expect(status).toBe(404);
    }, PATIENCE);
    expect((await admin.showStatus()).problems.join()).toContain('No model is on sale');
    await write({ to: 'west' });
    await untilAllSay('west');
  });

  test.runIf(workers === 1)(
    'a reload lets prices count from the change on, but one that looks like a slip waits for a yes',
    async () => {
      const inputPrice = async (): Promise<string | undefined> => {
        const { changes } = await program.json<{
          changes: { fields: { field: string; from: string; to: string }[] }[];
        }>('catalogue', 'diff');
        const change = changes[0]?.fields.find(({ field }) => field === 'price.input');
        return change === undefined ? undefined : `${change.from} -> ${change.to}`;
      };
      const told = logged('config reloaded');
      await write({ to: 'west', price: '3' });
      await vi.waitUntil(() => logged('config reloaded') > told, PATIENCE);
      expect(await inputPrice()).toBeUndefined();
      await write({ to: 'east', price: '300' });
      await vi.waitUntil(() => program.stderr().includes('catalogue apply --accept chat'), PATIENCE);
      await vi.waitFor(async () => expect(await inputPrice()).toBe('3.00 -> 300.00'), PATIENCE);
      await vi.waitFor(async () => {
        for (const { said } of await askAll()) expect(said).toContain('east');
      }, PATIENCE);
    },
  );

  test.runIf(workers === 1)(
    'a reload names in one line what only a start can change, and the log goes by its new level',
    async () => {
      const told = logged('config reloaded');
      await write({ to: 'east', more: 'log_level: warn\nserver: { body_max: 1MiB }\ntimeouts: { epoch: 20s }' });
      const line =
        '"settings":["server.body_max","timeouts.epoch"],"msg":"these changed settings take effect at the next start"';
      await vi.waitUntil(() => logged(line) > 0, PATIENCE);
      expect([logged(line), logged('config reloaded')]).toEqual([1, told]);
      await write({ to: 'east' });
      await vi.waitUntil(() => logged('config reloaded') > told, PATIENCE);
    },
  );

  test('the settings in force are told as they are, with what waits for a start and a mistake, but no secret', async () => {
    const shown = async (name: string): Promise<unknown> =>
      (await program.admin.showSettings()).settings.find((setting) => setting.name === name);
    const epoch = { name: 'timeouts.epoch', value: '30s', origin: 'default' };
    const ping = { name: 'timeouts.ping', waiting: null };
    const more = 'timeouts: { epoch: 20s, ping: 7s }\ndatabase: { url: "postgres://u:pass-of-db@h/d" }';
    await write({ to: 'east', more });
    await vi.waitFor(async () => {
      expect(await shown('timeouts.ping')).toEqual({ ...ping, value: '7s', origin: 'file' });
    }, PATIENCE);
    expect(await shown('timeouts.epoch')).toEqual({ ...epoch, waiting: '20s' });
    expect(await shown('database.url')).toMatchObject({ value: 'not set', waiting: 'postgres://u:***@h/d' });
    expect(await shown('server.workers')).toEqual({
      name: 'server.workers',
      value: String(workers),
      origin: 'flag',
      waiting: null,
    });
    expect(await shown('providers.main.api_key')).toMatchObject({ value: 'set', origin: 'file' });
    expect(await shown('providers.away.api_key')).toMatchObject({ value: 'not set', origin: 'default' });
    const all = JSON.stringify(await program.admin.showSettings());
    expect(all).not.toMatch(/key-of-east|pass-of-db/);

    await write(`${configText({ to: 'east', more: 'timeouts: { ping: 9s }' })}  - { id: oops }\n`);
    await vi.waitFor(async () => {
      const { problem } = await program.admin.showSettings();
      expect(problem).toContain('models[1].routes is missing');
    }, PATIENCE);
    expect(await shown('timeouts.ping')).toEqual({ ...ping, value: '7s', origin: 'file' });
    await write({ to: 'east' });
    await vi.waitFor(async () => {
      expect(await shown('timeouts.ping')).toMatchObject({ origin: 'default', waiting: null });
    }, PATIENCE);
    expect([(await program.admin.showSettings()).problem, await shown('timeouts.epoch')]).toEqual([
      null,
      { ...epoch, waiting: null },
    ]);
  });

  test.runIf(workers > 1)('a reload is known to a worker that begins later too', async () => {
    await write({ to: 'west', models: ['chat', 'late'] });
    await vi.waitFor(async () => {
      for (const { status } of await askAll('late')) expect(status).toBe(200);
    }, PATIENCE);
    await replaceWorker();
    for (const { said } of await askAll('late')) expect(said).toContain('west');
  });
});
