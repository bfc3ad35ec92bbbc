import type { ServerResponse } from 'node:http';
import type { PlainCaller } from './plain/plain-caller.ts';

/** One condition of readiness. */
export interface ReadinessCheck {
  readonly name: string;
  readonly holds: () => boolean;
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': NOT_STORED });
  response.end(JSON.stringify(body));
}

const LIVE = { status: 'live' };
const NOT_STORED = 'no-store';

/** The request line of probes, which is answered without node:http, whatever that has to do. */
export const LIVE_LINE = 'GET /livez HTTP/1.1';

/** Liveness: the process runs and answers. */
export function live(response: ServerResponse): void {
  send(response, 200, LIVE);
}

/** The same for a plain request. */
export function livePlainly(caller: Pick<PlainCaller, 'answer'>): void {
  caller.answer(Buffer.from(JSON.stringify(LIVE)), ['cache-control', NOT_STORED]);
}

/** Readiness: 200 if the process can serve requests, else 503 with the names of the failing checks. */
export function ready(response: ServerResponse, checks: readonly ReadinessCheck[]): void {
  const failing = checks.filter((check) => !check.holds()).map((check) => check.name);
  send(response, failing.length === 0 ? 200 : 503, {
    status: failing.length === 0 ? 'ready' : 'not ready',
    failing,
  });
}
