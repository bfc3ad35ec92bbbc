import type { ServerResponse } from 'node:http';

/** One condition of readiness. */
export interface ReadinessCheck {
  readonly name: string;
  readonly holds: () => boolean;
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}

/** The process runs and answers. */
export function live(response: ServerResponse): void {
  send(response, 200, { status: 'live' });
}

/** The process can serve requests right now: 200, or 503 naming what does not hold. */
export function ready(response: ServerResponse, checks: readonly ReadinessCheck[]): void {
  const failing = checks.filter((check) => !check.holds()).map((check) => check.name);
  send(response, failing.length === 0 ? 200 : 503, {
    status: failing.length === 0 ? 'ready' : 'not ready',
    failing,
  });
}
