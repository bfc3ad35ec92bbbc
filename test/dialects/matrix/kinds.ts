import { anthropicVendor } from '../../conformance/anthropic-vendor.ts';
import type { Answer, UsageSaid } from '../../conformance/answers.ts';
import type { Asked } from '../../conformance/asked.ts';
import { azureVendor } from '../../conformance/azure-vendor.ts';
import type { Failure } from '../../conformance/failures.ts';
import { geminiVendor } from '../../conformance/gemini-vendor.ts';
import { openAiVendor } from '../../conformance/openai-vendor.ts';
import { wireChunks, WIRE_DONE, wireCompletion, wireEvent, wireJson } from '../../conformance/openai-wire.ts';
import type { Vendor, WireAnswer } from '../../conformance/vendor.ts';
import type { ReceivedRequest } from '../../support/scripted-upstream.ts';
import type { Endpoint } from './caller.ts';
import { wireResponse, wireResponseError, wireResponseEvents } from './responses-wire.ts';

// The kinds of providers, and what each of them says in its own wire. A server that is only compatible with OpenAI's API
// shows its reasoning, as DeepSeek's and vLLM do, which OpenAI's own chat does not.

/** What a provider says over one of its APIs. */
export interface Voice {
  plain(answer: Answer, model: string): WireAnswer;
  events(answer: Answer, model: string): readonly string[];
  refusal(failure: Failure): WireAnswer;
  errorEvent(failure: Failure): string;
}

export interface Kind {
  readonly name: string;
  /** The provider's section of the config file, for a stand-in at `origin`. */
  section(origin: string): string;
  /** The callers' APIs that it speaks itself: a request in one of them arrives as it is. */
  readonly speaks: readonly Endpoint[];
  /** What it says to a request. */
  voiceFor(request: ReceivedRequest): Voice;
  modelOf(request: ReceivedRequest): string;
  isStreamed(request: ReceivedRequest): boolean;
  /** A request that was translated, in the terms that all kinds share. */
  readAsked(request: ReceivedRequest): Asked;
  /** How it counts so much usage: not every kind has a word for tokens that are written to a cache. */
  counts(usage: UsageSaid): UsageSaid;
  /** Whether a model that refuses says so in words of its own, beside the text. */
  readonly refusesInWords: boolean;
  /** The reasoning that its answers show where they are translated or passed as chat; empty if none. */
  readonly shows: string;
  /** A text of its reasoning that must come back to it in the next turn; null if chat with it has none. */
  readonly wantsBack: string | null;
}

export const THOUGHT = 'Two dollars, I think.';

const bodyOf = ({ body }: ReceivedRequest): { model: string; stream?: boolean } =>
  JSON.parse(body.toString()) as { model: string; stream?: boolean };

const RESPONSES: Omit<Voice, 'refusal'> = {
  plain: wireResponse,
  events: wireResponseEvents,
  errorEvent: ({ message }) => wireResponseError(message),
};

const voiceOf =
  (vendor: Vendor) =>
  ({ path }: ReceivedRequest): Voice =>
    path.endsWith('/responses') ? { ...RESPONSES, refusal: (failure) => vendor.refusal(failure) } : vendor;

const openAi: Kind = {
  name: 'openai',
  section: (origin) => `{ kind: openai, profile: openai, base_url: "${origin}/openai/v1", api_key: vendor-key }`,
  speaks: ['chat', 'responses'],
  voiceFor: voiceOf(openAiVendor),
  modelOf: (request) => bodyOf(request).model,
  isStreamed: (request) => bodyOf(request).stream === true,
  readAsked: (request) => openAiVendor.readAsked(request),
  counts: (usage) => usage,
  refusesInWords: true,
  shows: '',
  wantsBack: null,
};

const compatibleVoice: Voice = {
  plain(answer, model) {
    const { choices, ...rest } = wireCompletion(answer, model);
    const thinking = choices.map((choice) => ({
      ...choice,
      message: { ...choice.message, reasoning_content: THOUGHT },
    }));
    return wireJson(200, { ...rest, choices: thinking });
  },
  events(answer, model) {
    const [first = {}, ...others] = wireChunks(answer, model);
    const delta = { role: 'assistant', content: null, reasoning_content: THOUGHT };
    const thought = { ...first, choices: [{ index: 0, delta, finish_reason: null }] };
    return [...[thought, ...others].map(wireEvent), WIRE_DONE];
  },
  refusal: (failure) => openAiVendor.refusal(failure),
  errorEvent: (failure) => openAiVendor.errorEvent(failure),
};

/** Such servers obey `max_tokens`. */
function readCompatible(request: ReceivedRequest): Asked {
  const { max_tokens: cap, ...body } = JSON.parse(request.body.toString()) as { max_tokens?: number };
  const renamed = { ...body, max_completion_tokens: cap };
  return openAiVendor.readAsked({ ...request, body: Buffer.from(JSON.stringify(renamed)) });
}

export const KINDS: readonly Kind[] = [
  openAi,
  {
    ...openAi,
    name: 'azure',
    section: (origin) => `{ kind: azure, base_url: "${origin}/azure", api_key: vendor-key }`,
    voiceFor: voiceOf(azureVendor),
  },
  {
    name: 'anthropic',
    section: (origin) => anthropicVendor.providerSection(`${origin}/anthropic`),
    speaks: ['messages'],
    voiceFor: () => anthropicVendor,
    modelOf: (request) => anthropicVendor.modelOf(request),
    isStreamed: (request) => anthropicVendor.isStreamed(request),
    readAsked: (request) => anthropicVendor.readAsked(request),
    counts: (usage) => ({ ...usage, written: 40 }),
    refusesInWords: false,
    shows: THOUGHT,
    wantsBack: 'EqoBCkgIARABGAIiQL2UoU0b1OHYi+==',
  },
  {
    name: 'gemini',
    section: (origin) => geminiVendor.providerSection(`${origin}/gemini`),
    speaks: [],
    voiceFor: () => geminiVendor,
    modelOf: (request) => geminiVendor.modelOf(withoutBase(request)),
    isStreamed: (request) => geminiVendor.isStreamed(withoutBase(request)),
    readAsked: (request) => geminiVendor.readAsked(request),
    counts: (usage) => usage,
    refusesInWords: false,
    shows: '',
    wantsBack: 'EtQBCtEBAXLI2nwAAAB0aGUgdGhvdWdodCB0aGF0IGxlZCBoZXJl',
  },
  {
    ...openAi,
    name: 'compatible',
    section: (origin) => `{ kind: openai, profile: generic, base_url: "${origin}/compatible/v1" }`,
    speaks: ['chat'],
    voiceFor: () => compatibleVoice,
    readAsked: readCompatible,
    shows: THOUGHT,
    wantsBack: THOUGHT,
  },
];

function withoutBase(request: ReceivedRequest): ReceivedRequest {
  return { ...request, path: request.path.replace(/^\/gemini/, '') };
}
