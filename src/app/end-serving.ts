import { setTimeout as sleep } from 'node:timers/promises';
import type { TimeoutConfig } from '../config/config.ts';
import type { HttpServer } from '../http/server.ts';

// The ways in which a server ends. Once `hurried` resolves, new requests are turned away, and running ones have the drain's
// time alone.

type EndTimeouts = Pick<TimeoutConfig, 'lameDuckMs' | 'drainMs'>;

/** Lame duck, then hand-over: serves on while it is unready, until load balancers have noticed, then closes connections. */
export async function retire(
  front: HttpServer,
  { lameDuckMs, drainMs }: EndTimeouts,
  hurried: Promise<void>,
): Promise<void> {
  front.beginLeaving();
  await Promise.race([sleep(lameDuckMs, undefined, { ref: false }), hurried]);
  await handOver(front, drainMs, hurried);
}

/** Closes the port and idle connections while requests go elsewhere. One that comes by an open connection is still served. */
export async function handOver(front: HttpServer, drainMs: number, hurried: Promise<void>): Promise<void> {
  const handedOver = front.handOver(drainMs);
  await Promise.race([handedOver, hurried]);
  await Promise.all([handedOver, front.drain(drainMs)]);
}
