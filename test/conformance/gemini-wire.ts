import type { Answer, UsageSaid } from './answers.ts';
import type { Failure } from './failures.ts';
import type { WireAnswer } from './vendor.ts';

// Gemini's own wire, as its server speaks it. Fields and their names follow the reference of generateContent
// (https://ai.google.dev/api/generate-content) and of embeddings (https://ai.google.dev/api/embeddings); which of them come
// in which event follows streams recorded from gemini-3-pro-preview, as packages/google/src/__fixtures__ of
// https://github.com/vercel/ai keeps them at ed857f50f1. All read in August 2026.

const JSON_TYPE = { 'content-type': 'application/json; charset=UTF-8' };

const wireJson = (status: number, value: unknown): WireAnswer => ({
  status,
  headers: JSON_TYPE,
  // Outside of streams Google indents what it says.
  body: JSON.stringify(value, null, 2),
});

export const geminiEvent = (payload: unknown): string => `data: ${JSON.stringify(payload)}\r\n\r\n`;

export const SIGNATURE = 'EtQBCtEBAXLI2nwAAAB0aGUgdGhvdWdodCB0aGF0IGxlZCBoZXJl';

const FINISH_REASONS = { stop: 'STOP', length: 'MAX_TOKENS', tool_calls: 'STOP', content_filter: 'SAFETY' } as const;

function wireUsage({ input, cached, output, reasoning }: UsageSaid): object {
  return {
    promptTokenCount: input,
    ...(output > reasoning ? { candidatesTokenCount: output - reasoning } : {}),
    totalTokenCount: input + output,
    ...(cached > 0
      ? { cachedContentTokenCount: cached, cacheTokensDetails: [{ modality: 'TEXT', tokenCount: cached }] }
      : {}),
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: input }],
    ...(reasoning > 0 ? { thoughtsTokenCount: reasoning } : {}),
  };
}

function callParts(answer: Answer): readonly object[] {
  return answer.calls.map(({ id, name, arguments: pieces }, index) => ({
    functionCall: { id, name, args: JSON.parse(pieces.join('')) as unknown },
    // A turn has one signature, on the first of its calls.
    ...(index === 0 ? { thoughtSignature: SIGNATURE } : {}),
  }));
}

function wireResponse(parts: readonly object[], usage: UsageSaid, finishReason: string | null): object {
  return {
    candidates: [{ content: { parts, role: 'model' }, ...(finishReason === null ? {} : { finishReason }), index: 0 }],
    usageMetadata: wireUsage(usage),
    modelVersion: 'gemini-3-pro-preview',
    responseId: 'QHiLaa6LBrb8vdIPoNztsAg',
  };
}

/** The whole answer of generateContent. */
export function geminiAnswer(answer: Answer): WireAnswer {
  const texts = answer.text.length === 0 ? [] : [{ text: answer.text.join('') }];
  return wireJson(200, wireResponse([...texts, ...callParts(answer)], answer.usage, FINISH_REASONS[answer.finish]));
}

/** The events of streamGenerateContent: a call comes whole, usage grows, and nothing follows the reason to finish. */
export function geminiEvents(answer: Answer): readonly string[] {
  const parts = [...answer.text.map((text) => ({ text })), ...callParts(answer)];
  const soFar = (index: number): UsageSaid => {
    const { reasoning, output } = answer.usage;
    return {
      ...answer.usage,
      output: reasoning + Math.floor(((output - reasoning) * (index + 1)) / (parts.length + 1)),
    };
  };
  return [
    ...parts.map((part, index) => geminiEvent(wireResponse([part], soFar(index), null))),
    geminiEvent(wireResponse([{ text: '' }], answer.usage, FINISH_REASONS[answer.finish])),
  ];
}

/** Codes of https://ai.google.dev/gemini-api/docs/troubleshooting. */
const STATUSES: Readonly<Record<Failure['name'], readonly [code: number, status: string]>> = {
  bad_request: [400, 'INVALID_ARGUMENT'],
  prompt_block: [200, 'OK'],
  bad_key: [400, 'INVALID_ARGUMENT'],
  unknown_model: [404, 'NOT_FOUND'],
  rate_limit: [429, 'RESOURCE_EXHAUSTED'],
  overload: [503, 'UNAVAILABLE'],
  server_error: [500, 'INTERNAL'],
};

function detailsOf({ name, retryAfter }: Failure): readonly object[] {
  const details: object[] = [];
  if (name === 'bad_key') {
    details.push({
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: 'API_KEY_INVALID',
      domain: 'googleapis.com',
      metadata: { service: 'generativelanguage.googleapis.com' },
    });
  }
  if (retryAfter !== null) {
    details.push({ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${retryAfter}s` });
  }
  return details;
}

function errorOf(failure: Failure): object {
  const [code, status] = STATUSES[failure.name];
  const details = detailsOf(failure);
  return { error: { code, message: failure.message, status, ...(details.length > 0 ? { details } : {}) } };
}

/** How a request is refused; a blocked prompt is an answer without a candidate. */
export function geminiRefusal(failure: Failure): WireAnswer {
  if (failure.name !== 'prompt_block') return wireJson(STATUSES[failure.name][0], errorOf(failure));
  return wireJson(200, {
    promptFeedback: { blockReason: 'PROHIBITED_CONTENT', blockReasonMessage: failure.message },
    usageMetadata: { promptTokenCount: 31, totalTokenCount: 31 },
    modelVersion: 'gemini-3-pro-preview',
  });
}

export const geminiErrorEvent = (failure: Failure): string => geminiEvent(errorOf(failure));

export function geminiEmbeddings(vectors: readonly (readonly number[])[], tokens: number): WireAnswer {
  return wireJson(200, {
    embeddings: vectors.map((values) => ({ values })),
    usageMetadata: { promptTokenCount: tokens },
  });
}
