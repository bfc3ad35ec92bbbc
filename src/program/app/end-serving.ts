import { setTimeout as sleep } from 'node:timers/promises';
import type { TimeoutConfig } from '../../config/config.ts';
import type { HttpServer } from '../http/server.ts';

// The ways in which a server stops. Once `hurried` resolves, new requests are refused, and running ones have only the
// drain's time.

type EndTimeouts = Pick<TimeoutConfig, 'lameDuckMs' | 'drainMs'>;

/**
 * Lame duck, then hand-over: continues to serve while unready, until load balancers have noticed, then closes
 * connections.
 */
export async function retire(
  front: HttpServer,
  { lameDuckMs, drainMs }: EndTimeouts,
  hurried: Promise<void>,
): Promise<void> {
  front.beginLeaving();
  await Promise.race([sleep(lameDuckMs, undefined, { ref: false }), hurried]);
  await handOver(front, drainMs, hurried);
}

/** Closes the port and idle connections. Requests on open connections are still served. */
export async function handOver(front: HttpServer, drainMs: number, hurried: Promise<void>): Promise<void> {
  const handedOver = front.handOver(drainMs);
  await Promise.race([handedOver, hurried]);
  await Promise.all([handedOver, front.drain(drainMs)]);
}
