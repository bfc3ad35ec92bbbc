import type { ServerResponse } from 'node:http';
import type { PlainCaller } from './plain/plain-caller.ts';

/** One condition of readiness. */
export interface ReadinessCheck {
  readonly name: string;
  readonly holds: () => boolean;
  /** Whether requests can be served without it, for a while, so that a load balancer should go on sending them. */
  readonly isDispensable?: boolean;
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': NOT_STORED });
  response.end(JSON.stringify(body));
}

const LIVE = { status: 'live' };
const NOT_STORED = 'no-store';

/** The request line of probes; answered without node:http, so that its load doesn't matter. */
export const LIVE_LINE = 'GET /livez HTTP/1.1';

/** Liveness: the process runs and answers. */
export function live(response: ServerResponse): void {
  send(response, 200, LIVE);
}

/** The same for a plain request. */
export function livePlainly(caller: Pick<PlainCaller, 'answer'>): void {
  caller.answer(Buffer.from(JSON.stringify(LIVE)), ['cache-control', NOT_STORED]);
}

/** Readiness, with the names of the failing checks: 200 if the process can serve requests, else 503. */
export function ready(response: ServerResponse, checks: readonly ReadinessCheck[]): void {
  const failing = checks.filter((check) => !check.holds());
  const isReady = failing.every(({ isDispensable = false }) => isDispensable);
  send(response, isReady ? 200 : 503, {
    status: isReady ? 'ready' : 'not ready',
    failing: failing.map(({ name }) => name),
  });
}
