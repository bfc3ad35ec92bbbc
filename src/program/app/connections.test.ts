import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import type { ServerConfig } from '../../config/config.ts';
import type { Log } from '../telemetry/log.ts';
import { CallerConnections } from './connections.ts';

/** Connections with these limits, and what becomes of them; each one comes from an address of its own. */
function connectionsOf(server: Partial<ServerConfig>, openFilesMax = Infinity) {
  const clock = new ManualClock();
  const warn = vi.fn<(fields: object, line: string) => void>();
  const onRefused = vi.fn<(limit: string) => void>();
  const config = { connectionsMax: 10, connectionsPerAddressMax: null, ...server } as ServerConfig;
  const connections = new CallerConnections(config, {
    clock,
    log: { warn } as unknown as Log,
    onRefused,
    openFilesMax,
  });
  const admit = (remoteAddress: string): boolean => {
    const socket = Object.assign(new EventEmitter(), { remoteAddress, resetAndDestroy: () => undefined });
    return connections.quota.admit(socket as unknown as Socket);
  };
  return { clock, warn, onRefused, connections, admit };
}

test('one address has half of all connections unless it is told how many', () => {
  expect(connectionsOf({}).connections.quota.settings).toEqual({ connectionsMax: 10, connectionsPerAddressMax: 5 });
  expect(connectionsOf({ connectionsMax: 1 }).connections.quota.settings.connectionsPerAddressMax).toBe(1);
  expect(connectionsOf({ connectionsPerAddressMax: 9 }).connections.quota.settings.connectionsPerAddressMax).toBe(9);
});

test('each refused connection is counted, one in ten seconds is logged, and for a minute it is a problem', async () => {
  const { clock, warn, onRefused, connections, admit } = connectionsOf({ connectionsPerAddressMax: 1 });
  expect([admit('a'), admit('a'), admit('a')]).toEqual([true, false, false]);
  expect(onRefused.mock.calls).toEqual([['address'], ['address']]);
  expect(warn).toHaveBeenCalledOnce();
  expect(warn.mock.lastCall?.[0]).toMatchObject({ event: 'connections_refused', limit: 'address', address: 'a' });
  await clock.advance(10_000);
  admit('a');
  expect(warn).toHaveBeenCalledTimes(2);
  expect(connections.problems).toEqual([
    expect.stringMatching(/of a are refused: one address .*connections_per_address_max/),
  ]);
  await clock.advance(60_000);
  expect(connections.problems).toEqual([]);
});

test('where too few files may be open, fewer connections are taken, and that is reported and stays a problem', () => {
  const { warn, connections } = connectionsOf({ connectionsMax: 10_000 }, 1_024);
  expect(connections.quota.settings).toEqual({ connectionsMax: 549, connectionsPerAddressMax: 275 });
  expect(warn).toHaveBeenCalledOnce();
  expect(connections.problems).toEqual([expect.stringMatching(/connections_max is 10000, .* 1024 .* 549 .* 15200/)]);
});
