import { isIP, type Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import type { Destination, Proxy } from './destination.ts';
import { openPlain, openSecure, type SocketListener, type SocketAttempt } from './sockets.ts';
import { describeError } from './transport-fault.ts';

// Connections through an HTTP proxy, with CONNECT even for plain destinations: only one method, and its failures are
// known to be the proxy's. Messages never repeat a proxy's text, or the credentials sent to it.

const HEAD_END = Buffer.from('\r\n\r\n');
const HEAD_BYTES_MAX = 16_384;
const PROTOCOL = Buffer.from('HTTP/1.');
const STATUS_LINE = /^HTTP\/1\.[01] ([1-9]\d\d)(?: |\r)/;
const PROXY_AUTHENTICATION_REQUIRED = 407;

/**
 * A connection through a proxy.
 * - `asking`: until the proxy has opened the tunnel. A failure is the proxy's.
 * - `securing`: TLS with the destination, if it uses TLS.
 * - `open`: the bytes are the destination's.
 * - `over`: the listener is not called any more.
 */
export class ProxyTunnel implements SocketAttempt {
  readonly #proxy: Proxy;
  readonly #destination: Destination;
  readonly #listener: SocketListener;
  /** The connection with the proxy, and the TLS with the destination over it. */
  readonly #outer: Socket;
  #inner: Socket;
  #state: 'asking' | 'securing' | 'open' | 'over' = 'asking';
  #answer: Buffer = Buffer.alloc(0);

  constructor(proxy: Proxy, destination: Destination, listener: SocketListener) {
    this.#proxy = proxy;
    this.#destination = destination;
    this.#listener = listener;
    this.#outer = connectTo(proxy);
    this.#inner = this.#outer;
    this.#outer.once(proxy.isSecure ? 'secureConnect' : 'connect', () => this.#outer.write(this.#request(), 'latin1'));
    this.#outer.on('data', this.#onData);
    this.#outer.on('end', this.#onEnd);
    this.#outer.on('error', (error) => this.#broken(describeError(error)));
    this.#outer.on('close', () => this.#broken('the connection was closed'));
  }

  get pending(): string {
    const { address } = this.#proxy;
    return this.#state === 'asking'
      ? `the proxy ${address} opened no connection`
      : `no TLS through the proxy ${address}`;
  }

  destroy(): void {
    this.#state = 'over';
    this.#inner.destroy();
    this.#outer.destroy();
  }

  #request(): string {
    const { hostname, port } = this.#destination;
    const authority = `${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`;
    const { authorization } = this.#proxy;
    const credentials = authorization === null ? '' : `proxy-authorization: ${authorization}\r\n`;
    return `CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n${credentials}\r\n`;
  }

  readonly #onData = (bytes: Buffer): void => {
    if (this.#state === 'open') this.#listener.read(bytes);
    else if (this.#state === 'asking') this.#receive(bytes);
  };

  readonly #onEnd = (): void => {
    if (this.#state === 'open') this.#listener.ended();
    else this.#broken('the other side has closed the connection');
  };

  /**
   * Reads more of the proxy's answer, of which only the status matters: a body after a 2xx would be the destination's.
   */
  #receive(bytes: Buffer): void {
    this.#answer = Buffer.concat([this.#answer, bytes]);
    const answer = this.#answer;
    const begun = Math.min(answer.length, PROTOCOL.length);
    const end = answer.indexOf(HEAD_END);
    if (answer.compare(PROTOCOL, 0, begun, 0, begun) !== 0) return this.#broken('it does not speak HTTP/1.1');
    if (end === -1) {
      if (answer.length > HEAD_BYTES_MAX) this.#broken('the head of its answer is too large');
      return;
    }
    const status = Number(STATUS_LINE.exec(answer.toString('latin1', 0, end + 2))?.[1] ?? 0);
    if (status === 0) this.#broken('it does not speak HTTP/1.1');
    else if (status < 200 || status > 299) this.#broken(`it answers ${status}${this.#remedy(status)}`);
    else if (answer.length > end + HEAD_END.length) this.#broken('it sends more than an answer');
    else this.#pass();
  }

  #remedy(status: number): string {
    if (status !== PROXY_AUTHENTICATION_REQUIRED) return '';
    return this.#proxy.authorization === null
      ? '; write a user and a password into its URL'
      : '; it does not take the user and the password in its URL';
  }

  /** The proxy has opened the way. */
  #pass(): void {
    this.#answer = Buffer.alloc(0);
    if (!this.#destination.isSecure) return this.#open(this.#outer);
    this.#state = 'securing';
    this.#outer.off('data', this.#onData);
    this.#outer.off('end', this.#onEnd);
    const inner = openSecure(this.#destination, { socket: this.#outer });
    this.#inner = inner;
    inner.once('secureConnect', () => this.#open(inner));
    inner.on('data', this.#onData);
    inner.on('end', this.#onEnd);
    inner.on('error', (error) => this.#broken(describeError(error)));
    inner.on('close', () => this.#broken('the connection was closed'));
  }

  #open(socket: Socket): void {
    if (this.#state === 'over') return;
    this.#state = 'open';
    this.#listener.connected(socket);
  }

  #broken(what: string): void {
    const { address } = this.#proxy;
    const state = this.#state;
    this.#state = 'over';
    if (state === 'asking') this.#listener.broken(`the proxy ${address}: ${what}`);
    else if (state === 'securing') this.#listener.broken(`through the proxy ${address}: ${what}`);
    else if (state === 'open') this.#listener.broken(what);
  }
}

function connectTo({ isSecure, hostname, port }: Proxy): Socket {
  if (!isSecure) return openPlain({ host: hostname, port });
  const servername = isIP(hostname) === 0 ? hostname : '';
  return connectSecure({ host: hostname, port, servername, ALPNProtocols: ['http/1.1'] });
}
