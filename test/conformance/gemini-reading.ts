import type { FunctionCall, GenerateContentResponse, GenerateContentResponseUsageMetadata } from '@google/genai';
import type { ReceivedRequest } from '../support/scripted-upstream.ts';
import type { Asked, Call, Part, Turn } from './asked.ts';
import type { Finish, Said, UsageSaid } from './answers.ts';

// What a request of Gemini's API asks, and what Google's SDK has made of an answer, in the terms that all kinds share.

interface WirePart {
  readonly text?: string;
  readonly inlineData?: { readonly mimeType: string; readonly data: string };
  readonly functionCall?: { readonly name: string; readonly args: unknown };
  readonly functionResponse?: { readonly name: string; readonly response: Readonly<Record<string, unknown>> };
}

interface WireBody {
  readonly contents: readonly { readonly role: 'user' | 'model'; readonly parts: readonly WirePart[] }[];
  readonly systemInstruction?: { readonly parts: readonly { readonly text: string }[] };
  readonly tools?: readonly {
    readonly functionDeclarations: readonly {
      readonly name: string;
      readonly description?: string;
      readonly parametersJsonSchema?: unknown;
    }[];
  }[];
  readonly toolConfig?: {
    readonly functionCallingConfig: { readonly mode: string; readonly allowedFunctionNames?: readonly string[] };
  };
  readonly generationConfig?: {
    readonly maxOutputTokens?: number;
    readonly stopSequences?: readonly string[];
    readonly temperature?: number;
    readonly responseMimeType?: string;
    readonly responseJsonSchema?: unknown;
  };
}

/** A request of generateContent in the terms that all kinds share. */
export function readGeminiAsked(request: ReceivedRequest): Asked {
  const body = JSON.parse(request.body.toString()) as WireBody;
  const { maxOutputTokens, stopSequences, temperature } = body.generationConfig ?? {};
  return {
    system: (body.systemInstruction?.parts ?? []).map(({ text }) => text),
    turns: body.contents.flatMap(turnsOf),
    tools: (body.tools ?? [])
      .flatMap(({ functionDeclarations }) => functionDeclarations)
      .map(({ name, description, parametersJsonSchema }) => ({
        name,
        description: description ?? '',
        parameters: parametersJsonSchema,
      })),
    toolChoice: choiceOf(body.toolConfig),
    cap: maxOutputTokens ?? null,
    stop: stopSequences ?? [],
    temperature: temperature ?? null,
    format: formatOf(body.generationConfig),
  };
}

function turnsOf({ role, parts }: WireBody['contents'][number]): readonly Turn[] {
  if (role === 'model') {
    const calls = parts.flatMap(({ functionCall }): readonly Call[] =>
      functionCall === undefined ? [] : [{ name: functionCall.name, arguments: functionCall.args }],
    );
    return [{ role: 'assistant', text: parts.map(({ text }) => text ?? '').join(''), calls }];
  }
  const answers = parts.flatMap(({ functionResponse }): readonly Turn[] =>
    functionResponse === undefined
      ? []
      : [{ role: 'tool', tool: functionResponse.name, text: answerText(functionResponse.response) }],
  );
  return answers.length > 0 ? answers : [{ role: 'user', parts: parts.map(partOf) }];
}

function answerText(response: Readonly<Record<string, unknown>>): string {
  const { output } = response;
  return typeof output === 'string' ? output : JSON.stringify(response);
}

function partOf({ text, inlineData }: WirePart): Part {
  if (text !== undefined) return text;
  if (inlineData === undefined) throw new Error('a part that is neither text nor an image');
  return `image:data:${inlineData.mimeType};base64,${inlineData.data}`;
}

function choiceOf(config: WireBody['toolConfig']): Asked['toolChoice'] {
  if (config === undefined) return null;
  const { mode, allowedFunctionNames: names } = config.functionCallingConfig;
  if (names?.[0] !== undefined) return { name: names[0] };
  const choices: Readonly<Record<string, 'auto' | 'none' | 'required'>> = {
    AUTO: 'auto',
    NONE: 'none',
    ANY: 'required',
  };
  const choice = choices[mode];
  if (choice === undefined) throw new Error(`a mode of ${mode}`);
  return choice;
}

function formatOf(config: WireBody['generationConfig']): Asked['format'] {
  if (config?.responseMimeType !== 'application/json') return 'text';
  return config.responseJsonSchema === undefined ? 'json' : { schema: config.responseJsonSchema };
}

const FINISHES: Readonly<Record<string, Finish>> = { STOP: 'stop', MAX_TOKENS: 'length', SAFETY: 'content_filter' };

/** What the SDK understood: one response, or those of a stream. */
export function readGeminiSaid(responses: readonly GenerateContentResponse[]): Said {
  const calls = responses.flatMap(({ functionCalls }) => functionCalls ?? []).map(callOf);
  const finish = FINISHES[responses.at(-1)?.candidates?.[0]?.finishReason ?? ''];
  if (finish === undefined) throw new Error('no reason to finish that is known here');
  return {
    text: responses.flatMap(textsOf).join(''),
    refusal: null,
    calls,
    finish: calls.length > 0 ? 'tool_calls' : finish,
    usage: usageOf(responses.at(-1)?.usageMetadata),
  };
}

function textsOf({ candidates }: GenerateContentResponse): readonly string[] {
  return candidates?.[0]?.content?.parts?.map(({ text }) => text ?? '') ?? [];
}

function callOf({ name, args }: FunctionCall): Call {
  return { name: name ?? '', arguments: args };
}

function usageOf(metadata: GenerateContentResponseUsageMetadata | undefined): UsageSaid {
  const reasoning = metadata?.thoughtsTokenCount ?? 0;
  return {
    input: metadata?.promptTokenCount ?? 0,
    cached: metadata?.cachedContentTokenCount ?? 0,
    written: 0,
    output: (metadata?.candidatesTokenCount ?? 0) + reasoning,
    reasoning,
  };
}
