import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type { Caller } from '../../../gate/gateway/caller.ts';
import type { ForwardedRequest, Forwarder, ForwardFailure } from '../../../gate/gateway/forwarder.ts';
import type { Observer } from '../../../gate/gateway/observer.ts';
import { Places } from '../../../lib/places.ts';
import { forwardedHeaders, relayedHeaders } from './forwarded-headers.ts';

/** Requests in progress, of all cells and of one. */
const FORWARDS = { most: 4_096, mostPerKey: 2_048 };
const CONNECT_MS_MAX = 2_000;
/** Far less than a cell keeps one: a request is rarely sent on a connection that is being closed. */
const IDLE_MS = 5_000;
const IDLE_CONNECTIONS = 64;
const HEADER_BYTES_MAX = 16_384;
const KEPT = { keepAlive: true, timeout: IDLE_MS, maxFreeSockets: IDLE_CONNECTIONS, noDelay: true } as const;

interface ForwarderParts {
  /** Of this cell. */
  readonly shard: string;
  /** The URL of another cell, without a slash at its end; undefined: it is not known. */
  readonly urlOf: (shard: string) => string | undefined;
  readonly observer: Pick<Observer, 'forwarded'>;
}

/**
 * Forwards requests to other cells, by connections of its own. A request is sent once, whole: what has failed is tried again by
 * its caller, who alone knows whether that may be done. A caller that leaves, or closes its side, is seen by the cell as if
 * it were connected to it. A cell that stays silent is given up when the caller's own connection has been silent for too long.
 */
export class CellForwarder implements Forwarder {
  readonly #parts: ForwarderParts;
  readonly #places = new Places(FORWARDS);
  readonly #plain = new http.Agent(KEPT);
  readonly #encrypted = new https.Agent(KEPT);

  constructor(parts: ForwarderParts) {
    this.#parts = parts;
  }

  async forward(request: ForwardedRequest): Promise<ForwardFailure | null> {
    const { shard } = request;
    const outcome = await this.#tryForward(request);
    if (outcome !== null) this.#parts.observer.forwarded(shard, null);
    return outcome;
  }

  /** How many requests are being forwarded. */
  get forwarding(): number {
    return this.#places.taken;
  }

  /** Breaks the connections. */
  close(): void {
    this.#plain.destroy();
    this.#encrypted.destroy();
  }

  async #tryForward(request: ForwardedRequest): Promise<ForwardFailure | null> {
    const base = this.#parts.urlOf(request.shard);
    if (base === undefined) return 'unknown';
    const leave = this.#places.take(request.shard);
    if (leave === null) return 'full';
    try {
      return await this.#exchange(new URL(base), request);
    } finally {
      leave();
    }
  }

  #exchange(base: URL, request: ForwardedRequest): Promise<ForwardFailure | null> {
    const { caller, shard } = request;
    const { promise, resolve } = Promise.withResolvers<ForwardFailure | null>();
    const sent = this.#send(base, request);
    const connection = new Connecting(sent, base.protocol === 'https:' ? 'secureConnect' : 'connect');
    let hasBegun = false;
    const fail = (): void => {
      if (!hasBegun) resolve(connection.isMade ? 'broken' : 'away');
    };
    sent.on('response', (answer) => {
      const { statusCode: status = 0 } = answer;
      const headers = relayedHeaders(answer);
      if (headers === null) {
        resolve('away');
        sent.destroy();
        return;
      }
      hasBegun = true;
      this.#parts.observer.forwarded(shard, status);
      caller.startRelayed(status, headers);
      pass(answer, caller, () => resolve(null));
    });
    sent.on('error', fail);
    sent.on('close', fail);
    caller.onHalfClosed(() => halfClose(sent));
    caller.onGone(() => {
      resolve(null);
      sent.destroy();
    });
    return promise;
  }

  #send(base: URL, { caller, address, body }: ForwardedRequest): ClientRequest {
    const isPlain = base.protocol === 'http:';
    const sent = (isPlain ? http : https).request(base, {
      method: caller.method,
      // As it was sent: to resolve its dots would make another request of it.
      path: base.pathname.replace(/\/$/, '') + pathOf(caller.target),
      agent: isPlain ? this.#plain : this.#encrypted,
      headers: {
        ...forwardedHeaders(caller, this.#parts.shard, address),
        ...(body !== null && { 'content-length': body.length }),
      },
      maxHeaderSize: HEADER_BYTES_MAX,
    });
    sent.end(body ?? undefined);
    return sent;
  }
}

/** The path and query of a target, which may be a whole URL, as for a proxy. */
function pathOf(target: string): string {
  return target.replace(/^https?:\/\/[^/?]*/i, '');
}

/** Whether a request has a connection, which it gets soon or never. */
class Connecting {
  isMade = false;

  constructor(sent: ClientRequest, event: 'connect' | 'secureConnect') {
    const timer = setTimeout(() => sent.destroy(), CONNECT_MS_MAX);
    const made = (): void => {
      clearTimeout(timer);
      this.isMade = true;
    };
    sent.on('socket', (socket: Socket) => {
      if (sent.reusedSocket) made();
      else socket.once(event, made);
    });
    sent.on('close', () => clearTimeout(timer));
  }
}

/** Passes the body of an answer on as fast as its caller reads. One that breaks off breaks the caller's connection. */
function pass(answer: IncomingMessage, caller: Caller, over: () => void): void {
  caller.onDrain(() => answer.resume());
  answer.setEncoding('latin1');
  answer.on('data', (text: string) => {
    if (!caller.write(text)) answer.pause();
  });
  answer.on('end', () => {
    // Without a length and chunks, a body that breaks off has an end as well.
    if (answer.complete) caller.end();
    else caller.destroy();
    over();
  });
  answer.on('error', () => undefined);
  answer.on('close', () => {
    if (!answer.complete) caller.destroy();
    over();
  });
}

/** The caller may have left, or wait for its answer: the cell finds out, as it does for its own callers. */
function halfClose(sent: ClientRequest): void {
  if (sent.writableFinished) sent.socket?.end();
  else sent.once('finish', () => sent.socket?.end());
}
