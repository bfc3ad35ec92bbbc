import { Agent, type ClientRequest, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

// A client that never stays for the end of its answer: it leaves before the first byte, or after it.

const REST_MS = 150;
const BEFORE_MS = 20;

/** Asks until it is stopped. */
export class Leavers {
  readonly #url: string;
  readonly #key: string;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #running: Promise<void>;
  #isStopped = false;
  /** How often it has left. */
  left = 0;

  constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
    this.#running = this.#leave();
  }

  /** Resolves when it asks nothing any more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
    this.#agent.destroy();
  }

  async #leave(): Promise<void> {
    while (!this.#isStopped) {
      const sent = request(`${this.#url}/v1/chat/completions`, {
        method: 'POST',
        agent: this.#agent,
        headers: { authorization: `Bearer ${this.#key}`, 'content-type': 'application/json' },
      });
      // It hears of no fault: it is gone.
      sent.on('error', () => undefined);
      const gone = new Promise((resolve) => sent.once('close', resolve));
      const messages = [{ role: 'user', content: `question-0, of somebody who leaves` }];
      sent.end(JSON.stringify({ model: 'chat', max_tokens: 100, stream: true, messages }));
      await (this.left % 2 === 0 ? delay(BEFORE_MS) : Promise.race([gone, firstByteOf(sent)]));
      sent.destroy();
      await gone;
      this.left += 1;
      await delay(REST_MS);
    }
  }
}

function firstByteOf(sent: ClientRequest): Promise<unknown> {
  return new Promise((resolve) => {
    sent.once('response', (response) => response.on('error', () => undefined).once('data', resolve));
  });
}
