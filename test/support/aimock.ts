import { LLMock, type ChaosConfig, type ChatCompletionRequest, type FixtureResponse } from '@copilotkit/aimock';

// An upstream that this project did not write: it answers every chat message and every embedding over real HTTP, so
// that what the gateway believes of the protocol meets somebody else's reading of it.

export interface MockUpstreamOptions {
  /** Milliseconds before an answer's first byte. */
  readonly answerDelayMs?: number;
  /** What a chat answer's first byte waits for as well. */
  readonly answersWait?: () => Promise<void>;
  /** Milliseconds before each chunk of a stream. */
  readonly chunkDelayMs?: number;
  /** Characters in one chunk of a stream; 20 unless given. */
  readonly chunkCharacters?: number;
  /** What a chat answer is said to have used; a quarter of its characters, unless given. */
  readonly usage?: (request: ChatCompletionRequest) => MockUsage;
  /** How often a chat answer is an error, malformed, a limit or a broken connection instead: rates from 0 to 1. */
  readonly chaos?: ChaosConfig;
  /** The text of a chat answer; `You said: …` unless given. */
  readonly text?: (request: ChatCompletionRequest) => string | undefined;
  /** What is thought before an answer; nothing unless given. */
  readonly reasoning?: (request: ChatCompletionRequest) => string | undefined;
  /** The arguments of every tool call, as JSON; `{"city":"Paris"}` unless given. */
  readonly toolArguments?: string;
}

export type MockUsage = {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
};

/** A request as the mock received it, its body parsed. */
export interface MockRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface MockUpstream {
  /** Ends in `/v1`: what a provider's `base_url` is set to. */
  readonly baseUrl: string;
  /** How many requests have been taken up for an answer so far, whatever became of them. */
  served(): number;
  /** The chat requests that wait for their answer's first byte now, oldest first. */
  waiting(): readonly ChatCompletionRequest[];
  /** The requests that were answered, oldest first. */
  requests(): readonly MockRequest[];
  stop(): Promise<void>;
}

const CHUNK_CHARACTERS = 20;
const EMBEDDING = [0.6, -0.8, 0, 0.25, -0.125, 0.5, 0.75, -1];

/** A model of this name, `error-429` say, answers with that status. */
const ERROR_MODEL = /^error-(\d{3})$/;

function lastUserText(request: ChatCompletionRequest): string {
  const content = request.messages.findLast((message) => message.role === 'user')?.content ?? '';
  return typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('');
}

function defaultUsage(request: ChatCompletionRequest, answer: string): MockUsage {
  const asked = JSON.stringify(request.messages).length;
  return { prompt_tokens: Math.ceil(asked / 4), completion_tokens: Math.ceil(answer.length / 4) };
}

function toolToCall(request: ChatCompletionRequest): string | null {
  const answered = request.messages.at(-1)?.role === 'tool';
  if (answered || request.tool_choice === 'none') return null;
  return request.tools?.[0]?.function.name ?? null;
}

function chatResponse(request: ChatCompletionRequest, options: MockUpstreamOptions): FixtureResponse {
  const status = ERROR_MODEL.exec(request.model)?.[1];
  if (status !== undefined) {
    return {
      error: { message: `asked to fail with ${status}`, type: 'mock_error', code: 'mock' },
      status: Number(status),
    };
  }
  const thought = options.reasoning?.(request);
  const reasoning = thought === undefined ? {} : { reasoning: thought };
  const tool = toolToCall(request);
  if (tool !== null) {
    const args = options.toolArguments ?? '{"city":"Paris"}';
    const usage = options.usage?.(request) ?? defaultUsage(request, args);
    return { toolCalls: [{ name: tool, arguments: args }], usage, ...reasoning };
  }
  const said = options.text?.(request) ?? `You said: ${lastUserText(request)}`;
  const wantsJson = request.response_format?.type.startsWith('json') ?? false;
  const content = wantsJson ? JSON.stringify({ answer: said }) : said;
  const usage = options.usage?.(request) ?? defaultUsage(request, content);
  const cap = Number(request['max_completion_tokens'] ?? request.max_tokens ?? Number.POSITIVE_INFINITY);
  if (usage.completion_tokens <= cap) return { content, usage, ...reasoning };
  return { content: content.slice(0, cap * 4), finishReason: 'length', usage: { ...usage, completion_tokens: cap } };
}

function delay(ms: number): Promise<void> {
  return ms > 0 ? new Promise((resolve) => void setTimeout(resolve, ms)) : Promise.resolve();
}

/** Starts a mock upstream on a free port of 127.0.0.1. The caller stops it. */
export async function startMockUpstream(options: MockUpstreamOptions = {}): Promise<MockUpstream> {
  let served = 0;
  const waiting = new Set<ChatCompletionRequest>();
  const mock = new LLMock({ host: '127.0.0.1', port: 0, logLevel: 'silent', journalMaxEntries: 0, strict: true });
  mock.on(
    { endpoint: 'embedding' },
    async () => {
      served++;
      await delay(options.answerDelayMs ?? 0);
      return { embedding: EMBEDDING };
    },
    {},
  );
  mock.on(
    { endpoint: 'chat' },
    async (request: ChatCompletionRequest) => {
      served++;
      waiting.add(request);
      await Promise.all([delay(options.answerDelayMs ?? 0), options.answersWait?.()]);
      waiting.delete(request);
      return chatResponse(request, options);
    },
    {
      latency: options.chunkDelayMs ?? 0,
      chunkSize: options.chunkCharacters ?? CHUNK_CHARACTERS,
      ...(options.chaos === undefined ? {} : { chaos: options.chaos }),
    },
  );
  const url = await mock.start();
  return {
    baseUrl: `${url}/v1`,
    served: () => served,
    waiting: () => [...waiting],
    requests: () =>
      mock
        .getRequests()
        .map(({ path, headers, body }) => ({ path, headers, body: (body ?? {}) as MockRequest['body'] })),
    stop: () => mock.stop(),
  };
}
