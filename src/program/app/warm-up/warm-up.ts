import type { Config } from '../../../config/config.ts';
import { ByteBudget } from '../../../lib/byte-budget.ts';
import { SystemClock } from '../../../lib/clock.ts';
import { orAfter } from '../../../lib/pause.ts';
import { createIds } from '../../../lib/uuid7.ts';
import { ConnectionQuota } from '../../http/connection-quota.ts';
import { HttpServer } from '../../http/server.ts';
import type { Log } from '../../telemetry/log.ts';
import { apiOf, plainHandlers, serverTimeouts } from '../front.ts';
import { createWarmGate } from './warm-gate.ts';
import { sendWarmRequests, startWarmUpstream, type WarmRequests } from './warm-traffic.ts';

// Before a process serves, it serves requests of its own, so that the first callers don't wait for the compiler: V8
// compiles what has run often. They take the path of requests from one socket to the other, but all that the path uses is
// made for them and thrown away: no database, journal, metric, log, or health of a route learns of them.

/** Until when most of what a request needs is compiled. */
const REQUESTS = 8_000;
/**
 * The first of them are sent to two instances of the path that live briefly. So what differs from one instance to the next, or
 * changes as one ends, is known before code is compiled for it, and the code is right for the instance that serves.
 */
const BRIEF_REQUESTS = REQUESTS / 32;
const CONNECTIONS_MAX = 64;
const BODY_BYTES = 65_536;
const BUDGET_BYTES = 16_777_216;

/**
 * Begins to warm the code up. What it returns is called when all else is ready, and resolves when the process shall serve: once
 * the code is warm, or the configured time later. Neither ever fails: a process that stays cold serves too.
 */
export function startWarmUp(
  config: Config,
  log: Pick<Log, 'debug'>,
  closing: AsyncDisposableStack,
  requests = REQUESTS,
): () => Promise<void> {
  const { warmUpMs } = config.timeouts;
  if (warmUpMs === 0) return () => Promise.resolve();
  const over = new AbortController();
  const warm = warmUp(config, log, { requests, signal: over.signal });
  const end = async (): Promise<void> => {
    over.abort();
    await warm;
  };
  closing.defer(end);
  return () => orAfter(new SystemClock(), warm, warmUpMs).then(end);
}

async function warmUp(config: Config, log: Pick<Log, 'debug'>, { requests, signal }: WarmRequests): Promise<void> {
  const sinceMs = performance.now();
  let answered = 0;
  try {
    for (const share of [BRIEF_REQUESTS, BRIEF_REQUESTS, requests]) {
      if (signal.aborted) break;
      answered += await serveOnce(config, { requests: Math.min(share, requests - answered), signal });
    }
    log.debug({ answered, ms: Math.round(performance.now() - sinceMs) }, 'warmed up');
  } catch (fault) {
    log.debug({ answered, err: fault }, 'not warmed up');
  }
}

/** Has an instance of the path serve requests, ends it, and returns how many were answered. */
async function serveOnce(config: Config, requests: WarmRequests): Promise<number> {
  const closing = new AsyncDisposableStack();
  try {
    return await sendWarmRequests(await openWarmServer(config, closing), requests);
  } finally {
    await closing.disposeAsync();
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
  const plain = plainHandlers(
    apiOf(gate, limits, () => server),
    new Map(),
    () => undefined,
  );
  const server: HttpServer = new HttpServer(
    { headerBytesMax: config.server.headerBytesMax, connections, ...limits, ...serverTimeouts(config.timeouts) },
    createIds(() => gate.clock.nowMs()),
    { any: (_id, _message, response) => void response.destroy(), plain },
  );
  closing.defer(() => server.drain(0));
  const { port } = new URL(await server.listen({ host: '127.0.0.1', port: 0 }));
  return Number(port);
}
