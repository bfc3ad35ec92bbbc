import type { Socket } from 'node:net';
import { writeTogether } from '../../../lib/write-together.ts';

/** Writes the answers of one connection, one after the other. Text is latin1. */
export class AnswerWriter {
  readonly #socket: Socket;
  readonly #onSent: (fault?: Error | null) => void;
  #isWhole = false;
  /** Writes of one turn are sent together. */
  #unsent = '';

  /** `onSent` is called for each answer once the system has taken it, or with the fault. */
  constructor(socket: Socket, onSent: (fault?: Error | null) => void) {
    this.#socket = socket;
    this.#onSent = onSent;
  }

  /** Whether the latest answer is completely written, even if it is not sent yet. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Begins the next answer. */
  begin(): void {
    this.#isWhole = false;
  }

  /** Writes a whole answer. */
  write(head: string, body: Buffer): void {
    this.#isWhole = true;
    writeTogether(this.#socket, head, [body], this.#onSent);
  }

  /** Writes a chunk of an answer; returns false to request a pause. */
  send(text: string): boolean {
    if (this.#unsent === '') process.nextTick(this.#sendAll);
    this.#unsent += text;
    return !this.#socket.writableNeedDrain;
  }

  /** Writes an answer's last chunk. */
  finish(text: string): void {
    this.#isWhole = true;
    const all = this.#unsent + text;
    this.#unsent = '';
    this.#socket.write(all, 'latin1', this.#onSent);
  }

  /** Drops unsent bytes, because the caller has left. */
  drop(): void {
    this.#unsent = '';
  }

  readonly #sendAll = (): void => {
    const text = this.#unsent;
    this.#unsent = '';
    if (text !== '') this.#socket.write(text, 'latin1');
  };
}
