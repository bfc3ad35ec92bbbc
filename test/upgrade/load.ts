import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { ModelKind } from './provider.ts';

// Clients of every dialect, which ask through the balancer without a pause and note what they get.

/** A request of one dialect. */
interface Dialect {
  readonly path: string;
  readonly model: ModelKind;
  readonly body: (question: string, former: string | null) => object;
  /** How a whole answer ends. */
  readonly end: string;
}

const MAX = 1_000;
const userSays = (question: string) => ({ messages: [{ role: 'user', content: question }] });

export const DIALECTS = {
  chat: {
    path: 'chat/completions',
    model: 'chat',
    body: (question) => ({ max_tokens: MAX, ...userSays(question) }),
    end: '}',
  },
  stream: {
    path: 'chat/completions',
    model: 'chat',
    body: (question) => ({ max_tokens: MAX, stream: true, ...userSays(question) }),
    end: 'data: [DONE]\n\n',
  },
  responses: {
    path: 'responses',
    model: 'chat',
    // A conversation goes on from what the other version may have kept.
    body: (question, former) => ({
      max_output_tokens: MAX,
      input: question,
      ...(former === null ? {} : { previous_response_id: former }),
    }),
    end: '}',
  },
  messages: {
    path: 'messages',
    model: 'chat',
    body: (question) => ({ max_tokens: MAX, ...userSays(question) }),
    end: '}',
  },
  completions: {
    path: 'completions',
    model: 'chat',
    body: (question) => ({ max_tokens: MAX, prompt: question }),
    end: '}',
  },
  embeddings: { path: 'embeddings', model: 'embedding', body: (question) => ({ input: question }), end: '}' },
  rerank: {
    path: 'rerank',
    model: 'rerank',
    body: (question) => ({ query: question, documents: ['one', 'two'] }),
    end: '}',
  },
} as const satisfies Readonly<Record<string, Dialect>>;

export type DialectName = keyof typeof DIALECTS;

/** What a client has got for one request. */
export interface Seen {
  /** Its receipt's name for it, and what the provider was asked. */
  readonly question: string;
  readonly dialect: DialectName;
  /** `broken`: the connection ended before the answer did. */
  readonly status: number | 'broken';
  readonly isWhole: boolean;
  /** Of a refusal, or of what broke. */
  readonly reason: string | null;
  /** Whether the refusal says when to try again. */
  readonly isRetryable: boolean;
  /** Whether it repeats an earlier request of the same Idempotency-Key, so that nothing more is charged. */
  readonly isRepeat: boolean;
  /** The client's port of its connection. */
  readonly port: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly text: string;
}

const AFTER_REFUSAL_MS = 50;
/** How many requests there are to each that closes its connection, so that an instance that is back gets some. */
const KEPT_FOR = 10;
/** A conversation ends after so many answers, or its prompts would grow for ever. */
const TURNS_MAX = 4;

export interface LoadOptions {
  readonly clientsOfEach: number;
  /** How long a client rests after an answer. */
  readonly restMs?: number;
}

/** Clients: one for each dialect, as often as told, and one more that asks each question twice. */
export class Load {
  readonly seen: Seen[] = [];
  readonly #url: string;
  readonly #key: string;
  readonly #restMs: number;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #clients: readonly Promise<void>[];
  #asked = 0;
  #isStopped = false;

  constructor(url: string, key: string, { clientsOfEach, restMs = 0 }: LoadOptions) {
    this.#url = url;
    this.#key = key;
    this.#restMs = restMs;
    const names = Object.keys(DIALECTS) as DialectName[];
    const clients = Array.from({ length: clientsOfEach }, () => names.map((name) => this.#client(name)));
    this.#clients = [...clients.flat(), this.#repeating()];
  }

  /** Resolves when no request is under way any more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#clients);
    this.#agent.destroy();
  }

  async #client(name: DialectName): Promise<void> {
    let conversation: readonly string[] = [];
    while (!this.#isStopped) {
      const former = name === 'responses' ? (conversation.at(-1) ?? null) : null;
      const seen = await this.#ask(name, this.#newQuestion(), { former });
      const id = seen.isWhole && name === 'responses' ? (JSON.parse(seen.text) as { readonly id: string }).id : null;
      conversation = id === null || conversation.length === TURNS_MAX ? [] : [...conversation, id];
      await delay(seen.status === 200 ? this.#restMs : AFTER_REFUSAL_MS);
    }
  }

  /** The second answer is the first one's, whichever version has it. */
  async #repeating(): Promise<void> {
    while (!this.#isStopped) {
      const question = this.#newQuestion();
      const first = await this.#ask('chat', question, { idempotencyKey: question });
      const second = await this.#ask('chat', question, { idempotencyKey: question, isRepeat: first.isWhole });
      if (first.isWhole && second.isWhole && first.text !== second.text) {
        this.seen.push({ ...second, isWhole: false, reason: 'a repeat got another answer' });
      }
    }
  }

  #newQuestion(): string {
    this.#asked += 1;
    return `question-${this.#asked}`;
  }

  async #ask(
    dialect: DialectName,
    question: string,
    {
      former = null,
      idempotencyKey = null,
      isRepeat = false,
    }: { readonly former?: string | null; readonly idempotencyKey?: string | null; readonly isRepeat?: boolean },
  ): Promise<Seen> {
    const { path, model, body, end }: Dialect = DIALECTS[dialect];
    const fromMs = performance.now();
    const exchange = { port: 0 };
    const note = (what: Pick<Seen, 'status' | 'isWhole' | 'reason' | 'isRetryable' | 'text'>): Seen => {
      const seen = { question, dialect, isRepeat, ...exchange, fromMs, toMs: performance.now(), ...what };
      this.seen.push(seen);
      return seen;
    };
    try {
      const { status, text, isRetryable } = await this.#post(
        path,
        {
          authorization: `Bearer ${this.#key}`,
          'content-type': 'application/json',
          'x-request-id': question,
          ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
          ...(this.seen.length % KEPT_FOR === 0 ? { connection: 'close' } : {}),
        },
        JSON.stringify({ model, ...body(question, former) }),
        exchange,
      );
      const isWhole = status === 200 && text.trimEnd().endsWith(end.trimEnd()) && !text.includes('"error":{');
      const reason = isWhole ? null : text.slice(0, 300);
      return note({ status, isWhole, reason, isRetryable, text });
    } catch (fault) {
      const reason = String(fault);
      return note({ status: 'broken', isWhole: false, reason, isRetryable: false, text: '' });
    }
  }

  /** Sends a request, and notes the client's port of its connection as soon as it has one. */
  async #post(
    path: string,
    headers: Readonly<Record<string, string>>,
    body: string,
    exchange: { port: number },
  ): Promise<{ readonly status: number; readonly text: string; readonly isRetryable: boolean }> {
    const sent = request(`${this.#url}/v1/${path}`, { method: 'POST', headers, agent: this.#agent });
    sent.once('socket', (socket: Socket) => {
      const note = (): void => void (exchange.port = socket.localPort ?? 0);
      if (socket.connecting) socket.once('connect', note);
      else note();
    });
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const text = Buffer.concat(await response.toArray()).toString();
    return { status: response.statusCode ?? 0, text, isRetryable: 'retry-after' in response.headers };
  }
}
