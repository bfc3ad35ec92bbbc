import { setTimeout as sleep } from 'node:timers/promises';
import type { TimeoutConfig } from '../config/config.ts';
import type { HttpServer } from '../http/server.ts';

// The ways in which a server ends. `hurried` resolves if somebody won't wait: then requests that come are turned away, and
// those that run have the drain's time alone.

type EndingPatience = Pick<TimeoutConfig, 'lameDuckMs' | 'drainMs'>;

/** Stops in two steps: serves on, unready, until load balancers have noticed, then lets go of what is open. */
export async function retire(
  front: HttpServer,
  { lameDuckMs, drainMs }: EndingPatience,
  hurried: Promise<void>,
): Promise<void> {
  front.beginLeaving();
  await Promise.race([sleep(lameDuckMs, undefined, { ref: false }), hurried]);
  await handOver(front, drainMs, hurried);
}

/** Lets go of what is open, while requests go elsewhere. One that comes by an open connection is still served. */
export async function handOver(front: HttpServer, drainMs: number, hurried: Promise<void>): Promise<void> {
  const handedOver = front.handOver(drainMs);
  await Promise.race([handedOver, hurried]);
  await Promise.all([handedOver, front.drain(drainMs)]);
}
