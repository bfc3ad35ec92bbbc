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

/** Liveness: the process runs and answers. */
export function live(response: ServerResponse): void {
  send(response, 200, { status: 'live' });
}

/** Readiness: 200 if the process can serve requests, else 503 with the names of the failing checks. */
export function ready(response: ServerResponse, checks: readonly ReadinessCheck[]): void {
  const failing = checks.filter((check) => !check.holds()).map((check) => check.name);
  send(response, failing.length === 0 ? 200 : 503, {
    status: failing.length === 0 ? 'ready' : 'not ready',
    failing,
  });
}
