import { connect, type Socket } from 'node:net';
import { AnswerReader } from './answer-reader.ts';

const READ_BYTES = 65_536;

/** Hears what becomes of one connection's requests. */
export interface LoadListener {
  /** The connection is there and has nothing to do. */
  ready(connection: LoadConnection): void;
  /** The body of the answer has begun. */
  begun(connection: LoadConnection): void;
  answered(connection: LoadConnection, outcome: string): void;
  /** The connection is gone; `outcome` names what broke a running request. */
  lost(connection: LoadConnection, outcome: string | null): void;
}

/** One connection that carries one request at a time, over a bare socket that reads into one buffer. */
export class LoadConnection {
  readonly #socket: Socket;
  readonly #reader = new AnswerReader();
  readonly #listener: LoadListener;
  #isBusy = false;
  /** When its running request was sent, or should have been. */
  sinceMs = 0;

  constructor(port: number, listener: LoadListener) {
    this.#listener = listener;
    this.#socket = connect({
      host: '127.0.0.1',
      port,
      noDelay: true,
      onread: {
        buffer: Buffer.allocUnsafe(READ_BYTES),
        callback: (length, buffer) => this.#read(Buffer.from(buffer.buffer, buffer.byteOffset, length)),
      },
    });
    this.#socket.once('connect', () => listener.ready(this));
    this.#socket.on('error', () => this.#socket.destroy());
    this.#socket.once('close', () => listener.lost(this, this.#isBusy ? 'broken' : null));
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  send(request: Buffer, sinceMs: number): void {
    this.#isBusy = true;
    this.sinceMs = sinceMs;
    this.#socket.write(request);
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(bytes: Buffer): boolean {
    const end = this.#reader.push(bytes, () => this.#listener.begun(this));
    if (end !== null) {
      this.#isBusy = false;
      this.#listener.answered(this, end.isDone ? String(end.status) : `${end.status} without an end`);
    }
    return true;
  }
}
