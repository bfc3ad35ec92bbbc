import { Agent, request } from 'node:https';
import { vi } from 'vitest';
import { databaseUrl, freePort, startExternalPostgres } from '../support/external-postgres.ts';
import { type Program, startProgram } from '../support/program.ts';
import { type ReceivedRequest, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { TEST_CERTIFICATE } from '../support/test-certificate.ts';

// Two instances on one database, as they stand behind a reverse proxy, and callers that reach them through it.

const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
const PLAIN_MS = 30;

/** A prompt whose stream waits, after its first event, until the test lets it go on. */
export const HELD = 'held';

const CONFIG = (origin: string): string => `
server: { public_url: "https://localhost", trusted_proxies: [127.0.0.1], connections_per_address_max: 10000 }
providers: { scripted: { kind: openai, base_url: "${origin}/v1" } }
models:
  - id: scripted
    routes: [{ provider: scripted, model: gpt }]
    price: { input: "1.00", output: "2.00" }
    context_window: 128000
    max_output: 1000
    media: { image_tokens: 1000 }
`;

const BASICS = { id: 'c', created: 1, model: 'gpt' };

function event(more: object): string {
  return `data: ${JSON.stringify({ ...BASICS, object: 'chat.completion.chunk', ...more })}\n\n`;
}

const FIRST = event({ choices: [{ index: 0, delta: { role: 'assistant', content: 'hel' }, finish_reason: null }] });
const LAST = [
  event({ choices: [{ index: 0, delta: { content: 'lo' }, finish_reason: 'stop' }] }),
  event({ choices: [], usage: USAGE }),
  'data: [DONE]\n\n',
].join('');

const WHOLE = JSON.stringify({
  ...BASICS,
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
  usage: USAGE,
});

export interface ProxiedInstances {
  readonly ports: readonly number[];
  /** Of each port; another one after each restart. */
  readonly programs: Program[];
  readonly key: string;
  /** Of an operator, at both. */
  readonly token: string;
  readonly workspaceId: string;
  /** What a provider was sent. */
  readonly received: readonly ReceivedRequest[];
  /** Lets streams of `HELD` prompts end. */
  release(): void;
  /** Stops an instance as a service manager does, starts it again, and resolves with its exit code. */
  replace(index: number): Promise<number | null>;
  dispose(): Promise<void>;
}

/** Starts two of them. The caller disposes of them. */
export async function startProxiedInstances(): Promise<ProxiedInstances> {
  let held: (() => void)[] = [];
  const upstream = await startScriptedUpstream((response, { body }) => {
    const text = body.toString();
    if (!text.includes('"stream":true')) {
      setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end(WHOLE), PLAIN_MS);
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(FIRST);
    const end = (): void => void response.end(LAST);
    if (text.includes(`"${HELD}"`)) held.push(end);
    else setTimeout(end, PLAIN_MS);
  });
  const postgres = await startExternalPostgres();
  const env = { DATABASE_URL: databaseUrl(postgres, await postgres.createDatabase(), postgres.port) };
  const ports = [await freePort(), await freePort()];
  const programs: Program[] = [];
  for (const port of ports) {
    const args = ['--bootstrap', '--port', String(port)];
    programs.push(await startProgram({ config: CONFIG(upstream.origin), env, args }));
  }
  const [first] = programs as [Program];
  const { key, workspaceId } = await first.createTenant();
  const { token } = (await first.admin.createOperatorToken({ name: 'through the proxy' })) as {
    readonly token: string;
  };
  return {
    ports,
    programs,
    key,
    token,
    workspaceId,
    received: upstream.requests,
    release() {
      for (const end of held) end();
      held = [];
    },
    async replace(index) {
      const program = programs[index] as Program;
      const code = await program.signal('SIGTERM');
      programs[index] = await program.restart();
      return code;
    },
    async dispose() {
      for (const program of programs) await program.dispose();
      await postgres.stop();
      await upstream.stop();
    },
  };
}

export interface Answer {
  readonly status: number;
  readonly requestId: string;
  /** The header of that name. */
  readonly retryAfter: string | undefined;
  readonly text: string;
}

/** A caller that keeps its connections, and trusts the test certificate. */
export class Caller {
  readonly #agent: Agent;
  readonly #port: number;
  readonly #headers: Readonly<Record<string, string>>;

  /** `key`: its key as a bearer, or headers. `from`: the caller's address. */
  constructor(port: number, key: string | Readonly<Record<string, string>>, from = '127.0.0.1') {
    const tls = { ca: TEST_CERTIFICATE.cert, servername: 'localhost' };
    this.#agent = new Agent({ ...tls, keepAlive: true, localAddress: from });
    this.#port = port;
    this.#headers = typeof key === 'string' ? { authorization: `Bearer ${key}` } : key;
  }

  /** Resolves with the whole answer; `onText` is called with what has come so far. */
  send(path: string, body: object | null, onText: (text: string) => void = () => undefined): Promise<Answer> {
    const headers = { ...this.#headers, 'content-type': 'application/json' };
    const options = { host: 'localhost', port: this.#port, path, agent: this.#agent, family: 4, headers };
    return new Promise((resolve, reject) => {
      const sent = request({ ...options, method: body === null ? 'GET' : 'POST' }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (more: string) => {
          text += more;
          onText(text);
        });
        response.on('error', reject);
        response.on('end', () => {
          const requestId = String(response.headers['x-request-id'] ?? '');
          const { statusCode: status = 0, headers: answered } = response;
          resolve({ status, requestId, retryAfter: answered['retry-after'], text });
        });
      });
      sent.on('error', (fault: NodeJS.ErrnoException) => {
        // A server may close a kept connection in the moment in which a request comes; clients send it again.
        if (sent.reusedSocket && fault.code === 'ECONNRESET') resolve(this.send(path, body, onText));
        else reject(fault);
      });
      sent.end(body === null ? undefined : JSON.stringify(body));
    });
  }

  chat(prompt: string | readonly object[], stream = false, onText?: (text: string) => void): Promise<Answer> {
    const messages = [{ role: 'user', content: prompt }];
    return this.send('/v1/chat/completions', { model: 'scripted', stream, messages }, onText);
  }

  leave(): void {
    this.#agent.destroy();
  }
}

/** How many requests this instance has served. */
export async function served(program: Program): Promise<number> {
  const lines = (await program.metrics()).matchAll(/^faregate_requests_total\{[^}]*\} (\d+)$/gm);
  return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** Resolves once an instance serves requests that come through the proxy. */
export async function untilServing(program: Program): Promise<void> {
  await vi.waitUntil(async () => (await served(program)) > 0, { timeout: 60_000, interval: 100 });
}
