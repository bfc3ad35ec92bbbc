import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createServer as createSecureServer } from 'node:tls';
import { TEST_CERTIFICATE } from './test-certificate.ts';

// An HTTP proxy that opens ways by CONNECT, or does to those who ask whatever a test wants.

export interface AskedProxy {
  /** Host and port that it was asked for. */
  readonly authority: string;
  /** The header `proxy-authorization`; null where there was none. */
  readonly authorization: string | null;
}

export interface ConnectProxy {
  /** Without a path, `http://127.0.0.1:port`, or `https://localhost:port`. */
  readonly url: string;
  readonly asked: readonly AskedProxy[];
  /** Connections that are open now. */
  readonly sockets: ReadonlySet<Socket>;
  stop(): Promise<void>;
}

export interface ConnectProxyOptions {
  /** What it does instead of opening the way. */
  readonly behave?: (socket: Socket) => void;
  /** Whether it is spoken to by TLS, with the test certificate. */
  readonly isSecure?: boolean;
  /** What it says before it passes anything on. */
  readonly greeting?: string;
}

const ESTABLISHED = 'HTTP/1.1 200 Connection established\r\n\r\n';

/** Starts a proxy on a free port. The caller stops it. */
export async function startConnectProxy(options: ConnectProxyOptions = {}): Promise<ConnectProxy> {
  const { behave, isSecure = false, greeting = ESTABLISHED } = options;
  const asked: AskedProxy[] = [];
  const sockets = new Set<Socket>();
  const accept = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    let head = '';
    const onData = (bytes: Buffer): void => {
      head += bytes.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      socket.off('data', onData);
      const authority = /^CONNECT (\S+) HTTP\/1\.1\r\n/.exec(head)?.[1] ?? '';
      asked.push({ authority, authorization: /^proxy-authorization: (.*)\r$/im.exec(head)?.[1] ?? null });
      if (behave === undefined) tunnel(socket, new URL(`http://${authority}`), greeting);
      else behave(socket);
    };
    socket.on('data', onData);
  };
  const server = isSecure ? createSecureServer(TEST_CERTIFICATE, accept) : createServer(accept);
  server.listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: isSecure ? `https://localhost:${port}` : `http://127.0.0.1:${port}`,
    asked,
    sockets,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function tunnel(socket: Socket, { hostname, port }: URL, greeting: string): void {
  const onward = connect(Number(port || 80), hostname, () => {
    socket.write(greeting);
    socket.pipe(onward).pipe(socket);
  });
  onward.on('error', () => socket.destroy());
  socket.on('close', () => onward.destroy());
}
