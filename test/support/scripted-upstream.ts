import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

// An upstream that does exactly what a test tells it to, over a real socket.

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface ScriptedUpstream {
  /** Without a path, `http://HOST:port`. */
  readonly origin: string;
  /** Every request so far whose body has arrived in full. */
  readonly requests: readonly ReceivedRequest[];
  /** Connections that are open now. */
  readonly sockets: ReadonlySet<Socket>;
  stop(): Promise<void>;
}

/** Answers one request, whose body has been read. */
export type Script = (response: ServerResponse, request: ReceivedRequest) => void;

async function receive(message: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return {
    method: message.method ?? '',
    path: message.url ?? '',
    headers: message.headers,
    body: Buffer.concat(chunks),
  };
}

/** Starts an upstream that answers every request by the script, on a free port of this address. The caller stops it. */
export async function startScriptedUpstream(script: Script, host = '127.0.0.1'): Promise<ScriptedUpstream> {
  const requests: ReceivedRequest[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((message, response) => {
    // A peer that leaves early is a part of what is tested.
    response.on('error', () => {});
    receive(message)
      .then((request) => {
        requests.push(request);
        return script(response, request);
      })
      .catch(() => response.destroy());
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://${host}:${port}`,
    requests,
    sockets,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
