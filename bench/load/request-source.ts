import type { LoadPlan } from './load-plan.ts';

/** A request's bytes, with the next key. A plan's body is rendered once. */
export class RequestSource {
  readonly #before: string;
  readonly #body: Buffer;
  readonly #keys: readonly string[];
  readonly #isRandom: boolean;
  readonly #only: Buffer | null;
  #next = 0;

  constructor({ path, body, keys, keyOrder }: LoadPlan) {
    this.#body = Buffer.from(body);
    this.#before =
      `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n` +
      `user-agent: bench\r\naccept: */*\r\ncontent-length: ${this.#body.length}\r\n`;
    this.#keys = keys;
    this.#isRandom = keyOrder === 'random';
    this.#only = keys.length > 1 ? null : this.#render(keys[0]);
  }

  next(): Buffer {
    return this.#only ?? this.#render(this.#pick());
  }

  #pick(): string | undefined {
    const index = this.#isRandom ? Math.floor(Math.random() * this.#keys.length) : this.#next++ % this.#keys.length;
    return this.#keys[index];
  }

  #render(key: string | undefined): Buffer {
    const authorization = key === undefined ? '' : `authorization: Bearer ${key}\r\n`;
    return Buffer.concat([Buffer.from(`${this.#before}${authorization}\r\n`), this.#body]);
  }
}
