import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

// A load balancer as operators run one: it asks each server whether it is ready, sends requests to those that are, in
// turn, over connections that it keeps, and repeats nothing. What fails at a server fails for the caller.

const CHECK_EVERY_MS = 20;

export interface Balancer {
  readonly url: string;
  /** Resolves once no request goes to this server any more, and all that went there have reached it: they are being answered. */
  untilOut(server: string): Promise<void>;
  /** Resolves once requests go to this server. */
  untilIn(server: string): Promise<void>;
  /** Another address takes a server's place. */
  replace(server: string, by: string): void;
  stop(): Promise<void>;
}

interface Backend {
  url: string;
  isReady: boolean;
  readonly agent: Agent;
  /** Requests that went there, until their answers begin. */
  readonly unanswered: Set<Promise<void>>;
}

/** Starts a balancer before servers at these addresses. The caller stops it. */
export async function startBalancer(servers: readonly string[]): Promise<Balancer> {
  const backends = servers.map((url): Backend => ({
    url,
    isReady: false,
    agent: new Agent({ keepAlive: true }),
    unanswered: new Set(),
  }));
  let turn = 0;
  const state = { isStopped: false };
  const server = createServer((message, response) => {
    const ready = backends.filter(({ isReady }) => isReady);
    const backend = ready[(turn += 1) % ready.length];
    if (backend === undefined) response.writeHead(502).end('no server is ready');
    else pass(message, response, backend);
  });
  const checks = backends.map(async (backend) => {
    while (!state.isStopped) {
      backend.isReady = await saysReady(backend.url);
      await sleep(CHECK_EVERY_MS);
    }
  });
  const until = async (url: string, isIn: boolean): Promise<void> => {
    while (backends.some((backend) => backend.url === url && backend.isReady !== isIn)) await sleep(CHECK_EVERY_MS);
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async untilOut(url) {
      await until(url, false);
      await Promise.all(backends.filter((backend) => backend.url === url).flatMap(({ unanswered }) => [...unanswered]));
    },
    untilIn: (url) => until(url, true),
    replace(url, by) {
      for (const backend of backends) if (backend.url === url) backend.url = by;
    },
    async stop() {
      state.isStopped = true;
      await Promise.all(checks);
      server.closeAllConnections();
      server.close();
      for (const { agent } of backends) agent.destroy();
    },
  };
}

function pass(message: IncomingMessage, response: ServerResponse, { url, agent, unanswered }: Backend): void {
  const { promise: answered, resolve } = Promise.withResolvers<void>();
  unanswered.add(answered);
  const begin = (): void => {
    unanswered.delete(answered);
    resolve();
  };
  const { method, headers, url: path } = message;
  const { connection: _hop, ...forwarded } = headers;
  const onward = request(url + path, { method, headers: forwarded, agent }, (answer) => {
    begin();
    const { connection: _ours, 'keep-alive': _alive, ...rest } = answer.headers;
    response.writeHead(answer.statusCode ?? 502, rest);
    answer.on('error', () => response.destroy());
    answer.pipe(response);
  });
  onward.on('error', (fault) => {
    begin();
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end(`the server failed: ${fault.message}`);
  });
  message.pipe(onward);
}

function saysReady(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const check = get(`${url}/readyz`, { agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    check.on('error', () => resolve(false));
  });
}
