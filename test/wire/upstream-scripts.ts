import type { ServerResponse } from 'node:http';
import { framesOf } from '../support/event-frames.ts';
import type { Script } from '../support/scripted-upstream.ts';

// What upstreams say, put together from its parts.

export type Usage = { readonly prompt_tokens: number; readonly completion_tokens: number };

export const USAGE: Usage = { prompt_tokens: 7, completion_tokens: 5 };

/** The payload of a chunk, as JSON. */
export function chunk(choices: readonly object[], more: object = {}): string {
  return JSON.stringify({ id: 'c-1', object: 'chat.completion.chunk', created: 1, model: 'gpt', choices, ...more });
}

/** A chunk of one choice's text. */
export function text(content: string, index = 0, more: object = {}): string {
  return chunk([{ index, delta: { content }, finish_reason: null }], more);
}

/** A chunk that ends one choice. */
export function finish(more: object = {}, index = 0): string {
  return chunk([{ index, delta: {}, finish_reason: 'stop' }], more);
}

/** The chunk that carries usage alone. */
export function usageChunk(usage: Usage = USAGE): string {
  return chunk([], { usage });
}

export function event(payload: string): string {
  return `data: ${payload}\n\n`;
}

export const DONE = event('[DONE]');

/** Begins a stream of events. */
export function beginStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
}

/** Answers with these payloads as one stream, ended by `[DONE]`. */
export function streaming(...payloads: readonly string[]): Script {
  return rawStreaming(payloads.map(event).join('') + DONE);
}

/** Answers with these bytes as one stream. */
export function rawStreaming(bytes: string | Buffer): Script {
  return (response) => {
    beginStream(response);
    response.end(bytes);
  };
}

/** Answers bit by bit; where that fails, the connection is cut. */
export function gradually(run: (response: ServerResponse) => Promise<void>): Script {
  return (response) => {
    run(response).catch(() => response.destroy());
  };
}

/** Answers with this status and body. */
export function answering(status: number, body: string | object, headers: Record<string, string> = {}): Script {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

/** A whole chat answer. */
export function completion(content = 'hello', usage: Usage = USAGE): object {
  return {
    id: 'c-1',
    object: 'chat.completion',
    created: 1,
    model: 'gpt',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage,
  };
}

/** The payloads of the data events in what a client received. */
export function payloadsOf(received: string): string[] {
  return framesOf(received).map(({ data }) => data);
}
