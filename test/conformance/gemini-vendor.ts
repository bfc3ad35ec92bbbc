import {
  type Content,
  FunctionCallingConfigMode,
  type FunctionDeclaration,
  type GenerateContentParameters,
  GoogleGenAI,
  type Part,
} from '@google/genai';
import type { ReceivedRequest } from '../support/scripted-upstream.ts';
import { readGeminiAsked, readGeminiSaid } from './gemini-reading.ts';
import { geminiAnswer, geminiEmbeddings, geminiErrorEvent, geminiEvents, geminiRefusal } from './gemini-wire.ts';
import { CAP, IMAGE, QUESTION, SCHEMA, TIME, WEATHER } from './questions.ts';
import type { Vendor } from './vendor.ts';

type Params = Omit<GenerateContentParameters, 'model'>;

const user = (...parts: Part[]): Content => ({ role: 'user', parts });
const model = (...parts: Part[]): Content => ({ role: 'model', parts });
const declaration = ({ name, description, parameters }: typeof WEATHER | typeof TIME): FunctionDeclaration => ({
  name,
  description,
  parametersJsonSchema: parameters,
});
const calling = (mode: keyof typeof FunctionCallingConfigMode, ...names: string[]) => ({
  functionCallingConfig: {
    mode: FunctionCallingConfigMode[mode],
    ...(names.length > 0 ? { allowedFunctionNames: names } : {}),
  },
});

const ASKED: Params = { contents: [user({ text: QUESTION })] };
const BOTH_TOOLS = [{ functionDeclarations: [declaration(WEATHER), declaration(TIME)] }];

/** How the API's users ask what a scenario asks, where that is more than the question. */
const PARAMS: Readonly<Record<string, Params>> = {
  settings: {
    ...ASKED,
    config: {
      systemInstruction: { parts: [{ text: 'Be brief.' }, { text: 'Be kind.' }] },
      temperature: 0.5,
      stopSequences: ['END', '###'],
      maxOutputTokens: CAP,
    },
  },
  conversation: {
    contents: [user({ text: QUESTION }), model({ text: 'Two dollars.' }), user({ text: 'And back?' })],
  },
  tool_call: { ...ASKED, config: { tools: BOTH_TOOLS, toolConfig: calling('AUTO') } },
  text_and_tool_call: {
    ...ASKED,
    config: { tools: [{ functionDeclarations: [declaration(WEATHER)] }], toolConfig: calling('ANY') },
  },
  parallel_calls: { ...ASKED, config: { tools: BOTH_TOOLS, toolConfig: calling('ANY', 'weather') } },
  tool_answers: {
    contents: [
      user({ text: QUESTION }),
      model(
        { functionCall: { id: 'call_1', name: 'weather', args: { city: 'Paris' } } },
        { functionCall: { id: 'call_2', name: 'time', args: { city: 'Rome' } } },
      ),
      user(
        { functionResponse: { id: 'call_1', name: 'weather', response: { output: 'clear' } } },
        { functionResponse: { id: 'call_2', name: 'time', response: { hour: 9 } } },
      ),
    ],
    config: { tools: BOTH_TOOLS },
  },
  image: {
    contents: [
      user(
        { text: 'What is this?' },
        { inlineData: { mimeType: 'image/png', data: IMAGE.slice(IMAGE.indexOf(',') + 1) } },
        { text: 'Be precise.' },
      ),
    ],
  },
  json_mode: { ...ASKED, config: { responseMimeType: 'application/json' } },
  json_schema: { ...ASKED, config: { responseMimeType: 'application/json', responseJsonSchema: SCHEMA } },
  length: { ...ASKED, config: { maxOutputTokens: CAP } },
};

/** A model and what is done with it stand in the path. */
const PATH = /^\/v1beta\/models\/([^:/]+):(\w+)/;

const pathOf = ({ path }: ReceivedRequest) => {
  const [, name = '', method = ''] = PATH.exec(path) ?? [];
  return { name, method };
};

/** Google's own Gemini API. */
export const geminiVendor: Vendor = {
  kind: 'gemini',
  // A refusal is text like any other, or a reason to finish that counts as a content filter's.
  lacks: new Set(['refusal_text', 'cache_write']),
  providerSection: (origin) => `{ kind: gemini, base_url: "${origin}/v1beta", api_key: vendor-key }`,
  headers: ['x-goog-api-key', 'content-type'],

  modelOf: (request) => pathOf(request).name,
  isStreamed: (request) => pathOf(request).method === 'streamGenerateContent',
  readAsked: readGeminiAsked,

  plain: geminiAnswer,
  events: geminiEvents,
  refusal: geminiRefusal,
  errorEvent: geminiErrorEvent,
  embeddings: geminiEmbeddings,

  async callWithSdk(origin, { name }, streamed) {
    const client = new GoogleGenAI({ apiKey: 'vendor-key', httpOptions: { baseUrl: origin } });
    const params = { ...(PARAMS[name] ?? ASKED), model: name };
    if (!streamed) return readGeminiSaid([await client.models.generateContent(params)]);
    return readGeminiSaid(await Array.fromAsync(await client.models.generateContentStream(params)));
  },
};
