import type { ServerResponse } from 'node:http';
import { type ReceivedRequest, type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { CALLER_FAILURES, type Failure, PROVIDER_FAILURES } from './failures.ts';
import { CHAT_SCENARIOS, EMBEDDED_TOKENS, LONG_ANSWER, SHORT_ANSWER, VECTORS } from './scenarios.ts';
import type { Vendor, WireAnswer } from './vendor.ts';

// A vendor's server, which does what the scenario that it is asked for says. The model's name is the scenario's.

/** Streams that go wrong, or on and on. */
export const STREAM_TROUBLES = ['error_first', 'error_midway', 'cut_midway', 'garbage_first', 'endless'] as const;
type StreamTrouble = (typeof STREAM_TROUBLES)[number];

export const EMBEDDING = 'embedding';

/**
 * The name of a second model that is in the same scenario, so that a route that rests after a failure doesn't stand in
 * the way of another test.
 */
export const twin = (name: string): string => `${name}--twin`;

/** The scenario that a model is in. */
const scenarioOf = (model: string): string => model.replace(/--twin$/, '');

/** The error that a stream ends with. */
const STREAM_ERROR: Failure = { name: 'overload', message: 'overloaded at the moment', retryAfter: null };

/** Milliseconds between two events of the stream that goes on and on. */
const DRIP_MS = 25;

function sendWhole(response: ServerResponse, { status, headers, body }: WireAnswer): void {
  response.writeHead(status, headers).end(body);
}

function beginStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
}

/** The events up to the one with the first piece of text. */
function beginning(events: readonly string[]): readonly string[] {
  const [piece = ''] = SHORT_ANSWER.text;
  return events.slice(0, 1 + events.findIndex((event) => event.includes(piece)));
}

function sendTrouble(vendor: Vendor, response: ServerResponse, trouble: StreamTrouble): void {
  const events = vendor.events(SHORT_ANSWER, trouble);
  beginStream(response);
  switch (trouble) {
    case 'error_first':
      response.end(vendor.errorEvent(STREAM_ERROR));
      break;
    case 'garbage_first':
      response.end('data: <html>busy</html>\n\n');
      break;
    case 'error_midway':
      response.end([...beginning(events), vendor.errorEvent(STREAM_ERROR)].join(''));
      break;
    case 'cut_midway':
      response.write(beginning(events).join(''), () => response.destroy());
      break;
    case 'endless':
      drip(vendor, response);
  }
}

function drip(vendor: Vendor, response: ServerResponse): void {
  const events = vendor.events(LONG_ANSWER, 'endless');
  let at = 0;
  const timer = setInterval(() => {
    const event = events[at++];
    if (event === undefined) response.end();
    else response.write(event);
  }, DRIP_MS);
  response.on('close', () => clearInterval(timer));
}

function answer(vendor: Vendor, response: ServerResponse, request: ReceivedRequest): void {
  const model = vendor.modelOf(request);
  const failure = [...CALLER_FAILURES, ...PROVIDER_FAILURES].find(({ name }) => name === scenarioOf(model));
  if (failure !== undefined) return sendWhole(response, vendor.refusal(failure));
  if (model === EMBEDDING) return sendWhole(response, vendor.embeddings(VECTORS, EMBEDDED_TOKENS, request));
  const trouble = STREAM_TROUBLES.find((name) => name === model);
  if (trouble !== undefined) return sendTrouble(vendor, response, trouble);
  const scenario = CHAT_SCENARIOS.find(({ name }) => name === model);
  if (scenario === undefined) return sendWhole(response, { status: 404, headers: {}, body: `no scenario "${model}"` });
  if (!vendor.isStreamed(request)) return sendWhole(response, vendor.plain(scenario.answer, model));
  beginStream(response);
  response.end(vendor.events(scenario.answer, model).join(''));
}

export interface StandIn extends ScriptedUpstream {
  /** How many responses are still open. */
  running(): number;
}

/** Starts the vendor's server on a free port. The caller stops it. */
export async function startStandIn(vendor: Vendor): Promise<StandIn> {
  const open = new Set<ServerResponse>();
  const upstream = await startScriptedUpstream((response, request) => {
    open.add(response);
    response.on('close', () => open.delete(response));
    answer(vendor, response, request);
  });
  return { ...upstream, running: () => open.size };
}
