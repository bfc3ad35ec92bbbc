import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFailed, test } from 'vitest';
import { freePort } from '../support/external-postgres.ts';
import { printFigure } from '../support/figures.ts';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import { Caller, HELD, type ProxiedInstances, startProxiedInstances, untilServing } from './proxied-instances.ts';
import { PROXIES, type StartedProxy, startProxy } from './reverse-proxies.ts';

// The examples of deploy/proxies before two started instances. `npm run proxies:try` runs them, with the proxies that are installed.

const IS_TRIED = process.env['PROXIES_TRY'] === '1';
const CLIENTS = 8;
const LARGE_BYTES = 30 * 1_024 * 1_024;
const LONG = { timeout: 600_000 };

describe.runIf(IS_TRIED).each(PROXIES)('behind %s', (name) => {
  let instances: ProxiedInstances;
  let proxy: StartedProxy;
  let caller: Caller;
  beforeAll(async () => {
    instances = await startProxiedInstances();
    proxy = await startProxy(name, instances.ports);
  }, LONG.timeout);
  afterAll(async () => {
    await proxy.stop();
    await instances.dispose();
  }, LONG.timeout);
  beforeEach(() => void (caller = new Caller(proxy.port, instances.key)));
  afterEach(() => caller.leave());

  test('a stream reaches its caller event by event, over TLS', async () => {
    let seen = '';
    const { status, text } = await caller.chat(HELD, true, (soFar) => {
      if (seen === '' && soFar.includes('"hel"')) {
        seen = soFar;
        instances.release();
      }
    });
    expect({ status, isWhole: text.endsWith('data: [DONE]\n\n') }).toEqual({ status: 200, isWhole: true });
    expect(seen).not.toContain('"lo"');
  });

  test(
    'a body of 30 MiB reaches the provider, and one above server.body_max gets the refusal of Faregate',
    LONG,
    async () => {
      const image = (bytes: number): readonly object[] => [
        { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(bytes)}` } },
      ];
      expect(await caller.chat(image(LARGE_BYTES))).toMatchObject({ status: 200 });
      expect(instances.received.at(-1)?.body.length).toBeGreaterThan(LARGE_BYTES);
      const refused = await caller.chat(image(32 * 1_024 * 1_024 + 1));
      expect(refused).toMatchObject({ status: 413, text: expect.stringContaining('REQUEST_TOO_LARGE') });
    },
  );

  test('an answer has the id by which its receipt is found, and its charge', async () => {
    const { requestId } = await caller.chat('hi');
    const receipt = await instances.programs[0]?.admin.showReceipt(requestId);
    expect(receipt).toMatchObject({ outcome: 'completed', charge_usd: '0.00002' });
  });

  test('the address of the caller is recorded, not that of the proxy', async () => {
    const operator = new Caller(proxy.port, instances.token, '127.0.0.2');
    const path = `/admin/v1/workspaces/${instances.workspaceId}/projects`;
    const { status } = await operator.send(path, { name: 'by proxy' });
    expect(status).toBe(201);
    const { text } = await operator.send(`/admin/v1/workspaces/${instances.workspaceId}/audit?limit=1`, null);
    operator.leave();
    expect(JSON.parse(text)).toMatchObject({ data: [{ address: '127.0.0.2' }] });
  });

  test('both instances are stopped and started in turn without a failed request', LONG, async () => {
    onTestFailed(() => void process.stdout.write(proxy.said()));
    const outcomes = new Map<string, number>();
    const load = { isStopped: false };
    const clients = Array.from({ length: CLIENTS }, async (_, index) => {
      const client = new Caller(proxy.port, instances.key);
      const stream = index % 2 === 0;
      while (!load.isStopped) {
        const outcome = await client
          .chat('hi', stream)
          .then(
            ({ status, text }) =>
              status === 200 && (!stream || text.endsWith('data: [DONE]\n\n')) ? 'whole' : `${status} ${text}`,
            String,
          );
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }
      client.leave();
    });
    for (const index of instances.programs.keys()) {
      await proxy.takeOut(instances.ports[index] ?? null);
      expect(await instances.replace(index)).toBe(0);
      await proxy.takeOut(null);
      await untilServing(instances.programs[index] as (typeof instances.programs)[number]);
    }
    load.isStopped = true;
    await Promise.all(clients);
    printFigure(`${name}, both instances replaced`, outcomes.get('whole') ?? 0, 'requests');
    expect([...outcomes.keys()]).toEqual(['whole']);
  });
});

describe.runIf(IS_TRIED)('HAProxy', () => {
  const CHECK_MS = 2_000;

  test('answers 503 with retry-after if no instance is ready', async () => {
    const proxy = await startProxy('haproxy', [await freePort(), await freePort()]);
    const caller = new Caller(proxy.port, 'a key');
    const { status, retryAfter, text } = await caller.chat('hi');
    expect({ status, retryAfter }).toEqual({ status: 503, retryAfter: '1' });
    expect(JSON.parse(text)).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE', type: 'server_error' } });
    caller.leave();
    await proxy.stop();
  });

  test('keeps instances that answer their checks late', LONG, async () => {
    const checks = { count: 0 };
    const slow = await startScriptedUpstream((response, { path }) => {
      if (path !== '/readyz') return void response.end('served');
      setTimeout(() => {
        checks.count += 1;
        response.end();
      }, CHECK_MS);
    });
    const port = Number(new URL(slow.origin).port);
    const proxy = await startProxy('haproxy', [port, port]);
    const caller = new Caller(proxy.port, 'a key');
    await expect.poll(() => checks.count, { timeout: LONG.timeout, interval: 50 }).toBeGreaterThan(2);
    expect(await caller.chat('hi')).toMatchObject({ status: 200, text: 'served' });
    caller.leave();
    await proxy.stop();
    await slow.stop();
  });
});
