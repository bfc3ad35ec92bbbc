import type { Config } from '../../../config/config.ts';
import { ByteBudget } from '../../../lib/byte-budget.ts';
import { createIds } from '../../../lib/uuid7.ts';
import { ConnectionQuota } from '../../http/connection-quota.ts';
import { HttpServer } from '../../http/server.ts';
import type { Log } from '../../telemetry/log.ts';
import { plainHandlers, serverTimeouts } from '../front.ts';
import { createWarmGate } from './warm-gate.ts';
import { sendWarmRequests, startWarmUpstream } from './warm-traffic.ts';

// Before a process serves, it serves requests of its own, so that the first callers don't wait for the compiler: V8
// compiles what has run often. They take the path of requests from one socket to the other, but all that the path uses is
// made for them and thrown away: no database, journal, metric, log, or health of a route learns of them.

/** Until when most of what a request needs is compiled. */
const REQUESTS = 4_000;
const CONNECTIONS_MAX = 64;
const BODY_BYTES = 65_536;
const BUDGET_BYTES = 16_777_216;

/** Warms the code up for as long as the configuration allows. Never rejects: a process that stays cold serves too. */
export async function warmUp(config: Config, log: Pick<Log, 'debug'>, requests = REQUESTS): Promise<void> {
  const { warmUpMs } = config.timeouts;
  if (warmUpMs === 0) return;
  const sinceMs = performance.now();
  const closing = new AsyncDisposableStack();
  try {
    const port = await openWarmServer(config, closing);
    const answered = await sendWarmRequests(port, { requests, untilMs: sinceMs + warmUpMs });
    log.debug({ answered, ms: Math.round(performance.now() - sinceMs) }, 'warmed up');
  } catch (fault) {
    log.debug({ err: fault }, 'not warmed up');
  } finally {
    await closing
      .disposeAsync()
      .catch((fault: unknown) => log.debug({ err: fault }, 'a part of the warm-up has not closed'));
  }
}

/** Opens a server for requests of its own, and returns its port. */
export async function openWarmServer(config: Config, closing: AsyncDisposableStack): Promise<number> {
  const upstreamUrl = await startWarmUpstream(closing);
  const gate = await createWarmGate(config, upstreamUrl, closing);
  const limits = { bodyBytesMax: BODY_BYTES, budget: new ByteBudget(BUDGET_BYTES) };
  const connections = new ConnectionQuota(
    { connectionsMax: CONNECTIONS_MAX, connectionsPerAddressMax: CONNECTIONS_MAX },
    () => undefined,
  );
  const lines = plainHandlers({ gate, limits, isDraining: () => false }, new Map(), () => undefined);
  const server = new HttpServer(
    { headerBytesMax: config.server.headerBytesMax, connections, ...limits, ...serverTimeouts(config.timeouts) },
    createIds(() => gate.clock.nowMs()),
    { any: (_id, _message, response) => void response.destroy(), plain: (line) => lines.get(line) },
  );
  closing.defer(() => server.drain(0));
  const { port } = new URL(await server.listen({ host: '127.0.0.1', port: 0 }));
  return Number(port);
}
