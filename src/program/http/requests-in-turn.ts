import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { assert } from '../../lib/assert.ts';
import type { TurnShare } from './turn-share.ts';

const HEAD_END = Buffer.from('\r\n\r\n');
/** Bodies are parsed in pieces too; without a bound a body of line ends alone would hold up everybody else's likewise. */
const PIECES_PER_TURN = 64;

/**
 * Gives node:http the requests of a connection one after the other, each in a turn of the event loop of its own. Alone it
 * begins all that come in one packet together: some two thousand, which hold up everybody else's for seconds. Those of many
 * connections share the turn.
 */
export class RequestsInTurn {
  readonly #socket: Socket;
  readonly #parse: (bytes: Buffer) => void;
  readonly #latest: () => IncomingMessage | undefined;
  readonly #share: TurnShare;
  /** Whether it waits for a share of a turn, and whether it has got one that it hasn't used. */
  #isWaiting = false;
  #isDue = false;
  /** The request with the body that is being parsed, and how much of it is to come; 0 of one in chunks. */
  #begun: IncomingMessage | undefined;
  #bodyLeft = 0;
  #isHolding = false;
  /** Unparsed bytes of a connection after its caller has closed its side; before that, the socket holds them. */
  #last: Buffer | null = null;

  /**
   * Puts itself before node:http's parser, which must be the only reader of the socket. `latest`: the last request that it has
   * begun, while that is not answered.
   */
  constructor(socket: Socket, latest: () => IncomingMessage | undefined, share: TurnShare) {
    const [parse] = socket.listeners('data');
    assert(parse !== undefined, 'node:http reads an accepted connection');
    this.#socket = socket;
    this.#parse = (bytes) => void Reflect.apply(parse, socket, [bytes]);
    this.#latest = latest;
    this.#share = share;
    socket.removeAllListeners('data');
    socket.on('data', this.#onData);
    // A request's body resumes its socket whenever it has room for more.
    socket.on('resume', () => {
      if (this.#isHolding) socket.pause();
    });
  }

  /** Takes the last bytes of a caller that has closed its side. */
  end(bytes: Buffer): void {
    this.#onData(bytes);
    if (!this.#isHolding) this.#socket.emit('end');
  }

  /** A request is answered. */
  goOn(): void {
    if (this.#isHolding && !this.#isWaiting && !this.#isServing) setImmediate(this.#release);
  }

  readonly #onData = (bytes: Buffer): void => {
    if (!this.#mayParse()) return this.#hold(bytes);
    let at = 0;
    for (let pieces = 0; at < bytes.length && this.#isRead; pieces += 1) {
      if (pieces === PIECES_PER_TURN || this.#isServing) return this.#hold(bytes.subarray(at));
      const end = this.#endOfPiece(bytes, at);
      this.#parse(bytes.subarray(at, end));
      at = end;
    }
  };

  /** Where a request ends, or its head, or the bytes. A body in chunks ends as a head does. */
  #endOfPiece(bytes: Buffer, from: number): number {
    const message = this.#latest();
    if (message !== this.#begun) {
      this.#begun = message;
      this.#bodyLeft = message?.headers['transfer-encoding'] === undefined ? lengthOf(message) : 0;
    }
    if (message !== undefined && this.#bodyLeft > 0) {
      const end = Math.min(bytes.length, from + this.#bodyLeft);
      this.#bodyLeft -= end - from;
      return end;
    }
    const headEnd = bytes.indexOf(HEAD_END, from);
    return headEnd === -1 ? bytes.length : headEnd + HEAD_END.length;
  }

  #hold(rest: Buffer): void {
    this.#isHolding = true;
    if (this.#socket.readableEnded) this.#last = rest;
    else {
      this.#socket.pause();
      this.#socket.unshift(rest);
    }
    this.goOn();
  }

  #mayParse(): boolean {
    if (this.#isDue) {
      this.#isDue = false;
      return true;
    }
    this.#isWaiting ||= !this.#share.take(this.#goOnDue);
    return !this.#isWaiting;
  }

  readonly #goOnDue = (): void => {
    this.#isWaiting = false;
    this.#isDue = true;
    this.#release();
  };

  readonly #release = (): void => {
    // Behind the last answer nothing is read.
    if (!this.#isHolding || !this.#isRead || this.#socket.writableEnded) return;
    this.#isHolding = false;
    const last = this.#last;
    this.#last = null;
    if (last === null) this.#socket.resume();
    else this.end(last);
  };

  /** Whether a request that has come whole is not answered yet. */
  get #isServing(): boolean {
    return this.#latest()?.complete === true;
  }

  /** Whether what comes is still read as requests. */
  get #isRead(): boolean {
    return !this.#socket.destroyed && this.#socket.listenerCount('data', this.#onData) > 0;
  }
}

function lengthOf(message: IncomingMessage | undefined): number {
  return Number(message?.headers['content-length'] ?? 0);
}
