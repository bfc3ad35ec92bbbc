import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Fleet, restart, startFleet } from '../chaos/fleet.ts';
import { type Account, openAccount } from '../support/accounts.ts';
import { type Balancer, startBalancer } from './balancer.ts';

// Three instances behind a load balancer that repeats nothing are stopped and started one after the other, under load.

const CLIENTS = 12;
const DONE = 'data: [DONE]\n\n';

let fleet: Fleet;
let account: Account;
let balancer: Balancer;

beforeAll(async () => {
  // Patient, so that a busy machine changes no verdict: the test goes on as soon as the balancer has noticed.
  fleet = await startFleet({ count: 3, epochMs: null, timeouts: 'lame_duck: 60s' });
  account = await openAccount(fleet.database, { credit: 100_000_000_000n });
  balancer = await startBalancer(fleet.gateways.map(({ program }) => program.url));
  for (const { program } of fleet.gateways) await balancer.untilIn(program.url);
});

afterAll(async () => {
  await balancer.stop();
  await fleet.dispose();
});

async function outcomeOf(stream: boolean): Promise<string> {
  try {
    const messages = [{ role: 'user', content: 'hi' }];
    const body = { model: 'output-priced', max_tokens: 1_000, stream, messages };
    const response = await fetch(`${balancer.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.key.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    const isWhole = response.status === 200 && (!stream || text.endsWith(DONE));
    return isWhole ? 'whole' : `${response.status} ${text}`;
  } catch (fault) {
    return String(fault);
  }
}

test('SIGTERM to one instance after the other fails no request of those that run and come', async () => {
  const outcomes: string[] = [];
  const load = { isStopped: false };
  const clients = Array.from({ length: CLIENTS }, async (_, index) => {
    while (!load.isStopped) outcomes.push(await outcomeOf(index % 2 === 0));
  });
  const untilMore = async (): Promise<void> => {
    const before = outcomes.length;
    await vi.waitUntil(() => outcomes.length > before + 2 * CLIENTS, { timeout: 60_000, interval: 5 });
  };
  for (const gateway of fleet.gateways) {
    await untilMore();
    const { program } = gateway;
    const ended = program.signal('SIGTERM');
    await balancer.untilOut(program.url);
    await program.signal('SIGTERM');
    expect(await ended).toBe(0);
    await restart(gateway);
    balancer.replace(program.url, gateway.program.url);
    await balancer.untilIn(gateway.program.url);
  }
  await untilMore();
  load.isStopped = true;
  await Promise.all(clients);
  expect(outcomes.filter((outcome) => outcome !== 'whole')).toEqual([]);
});
