import type { ServerResponse } from 'node:http';
import { expect } from 'vitest';
import { type Program, startProgram } from '../support/program.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';

// The started program before an upstream that answers as a test tells it to, once for each capability that upstreams
// have for JSON schemas.

/** The capabilities, by the model that is routed to an upstream that has just that one. */
export const CAPABILITIES = ['strict', 'native', 'json_mode', 'tool'] as const;

/** What one choice of a scripted answer says; a text alone is a content that stops. */
export interface SaidChoice {
  readonly content?: string | null;
  readonly refusal?: string;
  readonly calls?: readonly { readonly name: string; readonly arguments: string }[];
  readonly finish?: string;
  /** A stream ends here, without saying how. */
  readonly breaksOff?: boolean;
  /** A stream goes on to its end when this resolves. */
  readonly until?: Promise<void>;
}

export type Said = string | SaidChoice | readonly SaidChoice[] | { readonly status: number; readonly body: object };

/** A request as the upstream got it. */
export interface Asked {
  readonly model: string;
  readonly stream?: boolean;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly response_format?: { readonly type: string; readonly json_schema?: { strict?: boolean; schema: object } };
  readonly tools?: readonly { readonly function: { readonly name: string; readonly parameters: object } }[];
  readonly tool_choice?: unknown;
  readonly n?: number;
}

/** Answers one request. */
export type Answer = (asked: Asked) => Said | Promise<Said>;

export interface Stage {
  readonly program: Program;
  readonly upstream: ScriptedUpstream;
  /** What the upstream was asked, in order, since the answer was set. */
  readonly asked: readonly Asked[];
  /** Says how the upstream answers from now on, and what it says that each answer used. */
  answer(how: Answer, usage?: Usage): void;
  /** The receipt of a request of this key; a refusal doesn't wait for its own. */
  receipt<Receipt>(key: string, requestId: string): Promise<Receipt>;
}

export interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

const USAGE: Usage = { prompt_tokens: 20, completion_tokens: 10 };

/** What an answer costs with that usage: 20 x 1000 + 10 x 2000 nano-USD. */
export const ANSWER_COST = 40_000n;

function config(upstream: ScriptedUpstream, settings: string): string {
  const model = (id: string, ...providers: string[]): string =>
    `  - { id: "${id}", routes: [${providers.map((name) => `{ provider: ${name}, model: "${id}" }`).join(', ')}], ` +
    `price: { input: "1.00", output: "2.00" }, context_window: 128000, max_output: 4096 }`;
  return `
${settings}
providers:
  strict: { kind: openai, base_url: "${upstream.origin}/v1", profile: openai }
  native: { kind: openai, base_url: "${upstream.origin}/v1", profile: vllm }
  json_mode: { kind: openai, base_url: "${upstream.origin}/v1", profile: deepseek }
  tool: { kind: openai, base_url: "${upstream.origin}/v1", profile: anthropic }
  second: { kind: openai, base_url: "${upstream.origin}/second/v1", profile: vllm }
models:
${[...CAPABILITIES.map((name) => model(name, name)), model('both', 'native', 'second')].join('\n')}
`;
}

/** Starts it all. The caller disposes of it. */
export async function startStage(settings = '', env: Readonly<Record<string, string>> = {}): Promise<Stage> {
  const asked: Asked[] = [];
  let how: Answer = () => 'no answer was set';
  let used = USAGE;
  const upstream = await startScriptedUpstream((response, { body }) => {
    const ask = JSON.parse(body.toString()) as Asked;
    asked.push(ask);
    Promise.resolve(how(ask)).then(
      (said) => reply(response, ask, said, used),
      () => response.destroy(),
    );
  });
  const program = await startProgram({ config: config(upstream, settings), env, beside: [upstream] });
  return {
    program,
    upstream,
    asked,
    answer(next, usage = USAGE) {
      how = next;
      used = usage;
      asked.length = 0;
    },
    async receipt<Receipt>(key: string, requestId: string) {
      const find = (): Promise<Response> =>
        fetch(`${program.url}/v1/receipts/${requestId}`, { headers: { authorization: `Bearer ${key}` } });
      await expect.poll(async () => (await find()).status, { timeout: 20_000 }).toBe(200);
      const response = await find();
      return (await response.json()) as Receipt;
    },
  };
}

function reply(response: ServerResponse, ask: Asked, said: Said, usage: Usage): void {
  if (typeof said === 'object' && 'status' in said) {
    response.writeHead(said.status, { 'content-type': 'application/json' }).end(JSON.stringify(said.body));
    return;
  }
  const choices = typeof said === 'string' ? [{ content: said }] : Array.isArray(said) ? said : [said as SaidChoice];
  const all = ask.n !== undefined && choices.length === 1 ? Array.from({ length: ask.n }, () => choices[0]!) : choices;
  if (ask.stream === true) replyStream(response, ask, all, usage).catch(() => response.destroy());
  else replyPlain(response, ask, all, usage);
}

function callsOf({ calls = [] }: SaidChoice): object[] {
  return calls.map((call, index) => ({ index, id: `call_${index}`, type: 'function', function: call }));
}

function finishOf({ finish, calls = [] }: SaidChoice): string {
  return finish ?? (calls.length > 0 ? 'tool_calls' : 'stop');
}

function replyPlain(response: ServerResponse, { model }: Asked, choices: readonly SaidChoice[], usage: Usage): void {
  const body = {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model,
    choices: choices.map((said, index) => ({
      index,
      message: {
        role: 'assistant',
        content: said.content ?? null,
        refusal: said.refusal ?? null,
        ...(said.calls === undefined ? {} : { tool_calls: callsOf(said) }),
      },
      logprobs: null,
      finish_reason: finishOf(said),
    })),
    usage,
  };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function replyStream(
  response: ServerResponse,
  { model }: Asked,
  choices: readonly SaidChoice[],
  usage: Usage,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const common = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_700_000_000, model };
  const send = (chunk: object): void => void response.write(`data: ${JSON.stringify({ ...common, ...chunk })}\n\n`);
  const delta = (index: number, said: object, finish: string | null = null): void =>
    send({ choices: [{ index, delta: said, logprobs: null, finish_reason: finish }] });
  for (const [index, said] of choices.entries()) {
    delta(index, { role: 'assistant', content: '', refusal: null });
    for (const piece of said.content?.match(/[\s\S]{1,7}/g) ?? []) delta(index, { content: piece });
    if (said.refusal !== undefined) delta(index, { refusal: said.refusal });
    if (said.calls !== undefined) delta(index, { tool_calls: callsOf(said) });
    await said.until;
    if (said.breaksOff === true) {
      response.end();
      return;
    }
    delta(index, {}, finishOf(said));
  }
  send({ choices: [], usage });
  response.end('data: [DONE]\n\n');
}
