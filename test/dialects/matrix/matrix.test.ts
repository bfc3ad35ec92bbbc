import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Answer, type Said, saidOf, type UsageSaid } from '../../conformance/answers.ts';
import { OUTPUT_MAX } from '../../conformance/asked.ts';
import type { Failure } from '../../conformance/failures.ts';
import { type Program, startProgram } from '../../support/program.ts';
import { type ReceivedRequest, type ScriptedUpstream, startScriptedUpstream } from '../../support/scripted-upstream.ts';
import { type Caller, type Heard, RESULT } from './caller.ts';
import { chatCaller } from './chat-caller.ts';
import { type Feature, FEATURES } from './features.ts';
import { type Kind, KINDS, THOUGHT } from './kinds.ts';
import { messagesCaller } from './messages-caller.ts';
import { responsesCaller } from './responses-caller.ts';
import { ENCRYPTED } from './responses-wire.ts';
import { type Wish, WISHES } from './wishes.ts';

// Each API × each kind of provider × each thing that callers ask for: what reaches the provider is what was asked, what
// the caller gets is valid in its API and says what the provider said, and is charged by the usage that it reported. A
// cell that doesn't work is in the table of docs/api.md, and is refused by the name of the field.

const CALLERS: readonly Caller[] = [chatCaller, messagesCaller, responsesCaller];

/** Nano-USD a token, so that each class of tokens shows in a charge. */
const RATES = { input: 1_000n, cached: 100n, written: 1_250n, output: 8_000n };

const FAILURES: Readonly<Record<'rejected' | 'unavailable' | 'breaks', Failure>> = {
  rejected: { name: 'bad_request', message: 'temperature: must be at most 2', retryAfter: null },
  unavailable: { name: 'overload', message: 'overloaded at the moment', retryAfter: null },
  breaks: { name: 'overload', message: 'overloaded at the moment', retryAfter: null },
};

interface Cell {
  readonly caller: Caller;
  readonly kind: Kind;
  readonly feature: Feature;
  readonly stream: boolean;
  /** The model that the provider knows: the feature's name. */
  readonly model: string;
}

let upstream: ScriptedUpstream;
let program: Program;
let key: string;

/** What the provider says: one that has no words for a refusal says by the reason to stop that it refuses. */
function answerOf(kind: Kind, { answer }: Feature): Answer {
  const counted = { ...answer, usage: kind.counts(answer.usage) };
  if (answer.refusal === null || kind.refusesInWords) return counted;
  return { ...counted, text: ['Well, '], refusal: null, finish: 'content_filter' };
}

/** Does what the feature says that it is asked for, in its kind's wire. */
function stageUpstream(): Promise<ScriptedUpstream> {
  return startScriptedUpstream((response, request) => {
    const kind = KINDS.find(({ name }) => request.path.startsWith(`/${name}/`));
    const feature = FEATURES.find(({ name }) => name === kind?.modelOf(request));
    if (kind === undefined || feature === undefined) return void response.writeHead(404).end();
    const voice = kind.voiceFor(request);
    const { trouble } = feature;
    if (trouble === 'rejected' || trouble === 'unavailable') {
      const { status, headers, body } = voice.refusal(FAILURES[trouble]);
      return void response.writeHead(status, headers).end(body);
    }
    if (!kind.isStreamed(request)) {
      const { status, headers, body } = voice.plain(answerOf(kind, feature), feature.name);
      return void response.writeHead(status, headers).end(body);
    }
    const events = voice.events(answerOf(kind, feature), feature.name);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (trouble === undefined) return void response.end(events.join(''));
    const [piece = ''] = feature.answer.text;
    const begun = events.slice(0, 1 + events.findIndex((event) => event.includes(piece)));
    return void response.end([...begun, voice.errorEvent(FAILURES.breaks)].join(''));
  });
}

beforeAll(async () => {
  upstream = await stageUpstream();
  const usd = (nano: bigint): string => `"${Number(nano) / 1_000}"`;
  const price =
    `{ input: ${usd(RATES.input)}, cached_input: ${usd(RATES.cached)}, ` +
    `cache_write_5m: ${usd(RATES.written)}, output: ${usd(RATES.output)}, audio_output: ${usd(RATES.output)} }`;
  const models = KINDS.flatMap(({ name: kind }) =>
    FEATURES.map(
      ({ name }) =>
        `  - { id: ${kind}/${name}, routes: [{ provider: ${kind}, model: ${name} }], price: ${price}, ` +
        `context_window: 200000, max_output: ${OUTPUT_MAX} }`,
    ),
  );
  const config = [
    // No route rests: failures are what is asked for.
    'routing: { results_min: 1000000 }',
    'providers:',
    ...KINDS.map((kind) => `  ${kind.name}: ${kind.section(upstream.origin)}`),
    'models:',
    ...models,
  ].join('\n');
  program = await startProgram({ config, beside: [upstream] });
  ({ key } = await program.createTenant({ credit: '1000' }));
});

afterAll(() => program?.dispose());

interface Answered {
  readonly status: number;
  readonly text: string;
  readonly requestId: string;
  /** Null if the provider has not been asked. */
  readonly received: ReceivedRequest | null;
  readonly charge: string | null;
}

async function post({ path, headers }: Caller, body: object): Promise<Answered> {
  const before = upstream.requests.length;
  const response = await fetch(`${program.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return {
    status: response.status,
    text,
    requestId: response.headers.get('x-request-id') ?? '',
    received: upstream.requests[before] ?? null,
    charge: response.headers.get('x-faregate-charge') ?? /: faregate-charge (\S+)/.exec(text)?.[1] ?? null,
  };
}

const receiptOf = (requestId: string) =>
  vi.waitUntil(() => program.admin.showReceipt(requestId).catch(() => null), { timeout: 10_000 });

/** The charge of so much usage, to the nano-USD. */
function chargeOf({ input, cached, written, output }: UsageSaid): bigint {
  const plain = BigInt(input - cached - written);
  return (
    plain * RATES.input +
    BigInt(cached) * RATES.cached +
    BigInt(written) * RATES.written +
    BigInt(output) * RATES.output
  );
}

const DIALECT_NAMES = { chat: 'chat_completions', messages: 'messages', responses: 'responses' } as const;

/** The receipt says what the provider reported, each token in one class, and the charge is the arithmetic on that. */
async function expectCharged({ caller, kind, feature }: Cell, { requestId, charge: told }: Answered): Promise<void> {
  const { usage } = answerOf(kind, feature);
  const charge = chargeOf(usage);
  const { input, cached, written, output } = usage;
  expect(await receiptOf(requestId)).toMatchObject({
    dialect: DIALECT_NAMES[caller.endpoint],
    outcome: 'completed',
    charge_nano_usd: String(charge),
    write_off_nano_usd: '0',
    usage: {
      certainty: 'exact',
      tokens: { input: input - cached - written, cached_input: cached, cache_write_5m: written, output },
    },
  });
  expect(Math.round(Number(told) * 1e9)).toBe(Number(charge));
}

/** Fields that the gate itself sets: the model's name there, the cap in the field that is obeyed, and the usage asked for. */
const SET_FIELDS = ['model', 'max_tokens', 'max_completion_tokens', 'stream_options'];

/** What must reach the provider: the caller's own body where it speaks the API, else what was asked in its words. */
function expectAsked(cell: Cell, sent: object, received: ReceivedRequest | null): void {
  if (received === null) throw new Error('the provider has not been asked');
  const { kind, feature } = cell;
  if (isNative(cell)) {
    const body = JSON.parse(received.body.toString()) as object;
    const kept = (fields: object): object =>
      Object.fromEntries(Object.entries(fields).filter(([name]) => !SET_FIELDS.includes(name)));
    expect(kept(body)).toEqual(kept(sent));
  } else {
    const asked = kind.readAsked(received);
    expect(asked).toEqual({ ...feature.asked, cap: asked.cap === OUTPUT_MAX ? OUTPUT_MAX : feature.asked.cap });
  }
}

/** Whether the provider gets the caller's body. A schema in chat is adapted to what it enforces. */
const isNative = ({ caller, kind, feature }: Cell): boolean =>
  kind.speaks.includes(caller.endpoint) && (caller.endpoint !== 'chat' || feature.asked.format === 'text');

/** What a caller should have understood. A message has no words for a refusal either. */
function expected({ caller, kind, feature }: Cell): Said {
  const said = saidOf(answerOf(kind, feature));
  if (caller.endpoint !== 'messages' || said.refusal === null) return said;
  return { ...said, text: said.refusal, refusal: null, finish: 'content_filter' };
}

/** Reads an answer, which throws where it isn't valid, and compares it with what the provider said. */
function hear(cell: Cell, { text, received }: Answered): Heard {
  const { caller, kind, stream } = cell;
  const heard = stream ? caller.readStream(text) : caller.readPlain(JSON.parse(text));
  expect(heard.said).toEqual(expected(cell));
  const isResponse = received?.path.endsWith('/responses') === true;
  expect(heard.reasoning).toBe(isResponse ? THOUGHT : kind.shows);
  return heard;
}

/** The cell that works: asked, heard and charged. */
async function expectAnswered(cell: Cell): Promise<void> {
  const { caller, feature, model, stream } = cell;
  const body = caller.body(feature.asked, model, stream);
  const answered = await post(caller, body);
  expect(answered).toMatchObject({ status: 200 });
  expectAsked(cell, body, answered.received);
  const heard = hear(cell, answered);
  await expectCharged(cell, answered);
  if (feature.goesOn === true) await expectGoingOn(cell, heard, answered.received);
}

/** The next turn: results of the calls arrive, and so does the reasoning that the provider wants back, unchanged. */
async function expectGoingOn(cell: Cell, heard: Heard, first: ReceivedRequest | null): Promise<void> {
  const { caller, kind, feature, model } = cell;
  expect(heard.callIds).toHaveLength(feature.answer.calls.length);
  const { status, text, received } = await post(caller, caller.next(feature.asked, heard, model));
  expect({ status, text }).toMatchObject({ status: 200 });
  const sent = received?.body.toString() ?? '';
  expect(endpointOf(received)).toBe(endpointOf(first));
  const back = first?.path.endsWith('/responses') === true ? ENCRYPTED : kind.wantsBack;
  if (back !== null) expect(sent).toContain(back);
  if (isNative(cell)) return;
  const calls = feature.answer.calls.map((call) => ({
    name: call.name,
    arguments: JSON.parse(call.arguments.join('')) as unknown,
  }));
  const asked = kind.readAsked(received as ReceivedRequest);
  expect(asked.turns.slice(-1 - calls.length)).toEqual([
    { role: 'assistant', text: feature.answer.text.join(''), calls },
    ...calls.map(({ name }) => ({ role: 'tool', tool: name, text: RESULT })),
  ]);
}

/** Where a request went, whether it is streamed or not. */
const endpointOf = (request: ReceivedRequest | null): string | undefined => request?.path.replace(/:\w+(\?.*)?$/, '');

async function expectFree(requestId: string): Promise<void> {
  expect(await receiptOf(requestId)).toMatchObject({ outcome: 'failed', charge_nano_usd: '0' });
}

/** A request that the provider rejects is the caller's to mend; a provider that fails is not the caller's matter. */
async function expectFailing({ caller, feature, model, stream }: Cell): Promise<void> {
  const isRejected = feature.trouble === 'rejected';
  const { status, text, requestId } = await post(caller, caller.body(feature.asked, model, stream));
  expect(status).toBe(isRejected ? 400 : 503);
  const { code, message } = caller.readError(JSON.parse(text));
  expect(code).toBe(isRejected ? 'INVALID_REQUEST' : 'MODEL_UNAVAILABLE');
  const said = FAILURES[isRejected ? 'rejected' : 'unavailable'].message;
  if (isRejected) expect(message).toContain(said);
  else expect(text).not.toContain(said);
  await expectFree(requestId);
}

/** What has come is passed on and charged, within the hold, and the end says that it broke off. */
async function expectBroken({ caller, feature, model, stream }: Cell): Promise<void> {
  const { status, text, requestId } = await post(caller, caller.body(feature.asked, model, stream));
  expect({ status, text }).toMatchObject({ status: 200 });
  expect(caller.readBroken(text)).toEqual({ text: feature.answer.text[0], code: 'MODEL_UNAVAILABLE' });
  const receipt = await receiptOf(requestId);
  expect(receipt).toMatchObject({ outcome: 'interrupted', write_off_nano_usd: '0' });
  const { input = 0, cached_input: cached = 0, cache_write_5m: written = 0, output = 0 } = receipt.usage.tokens;
  const charge = chargeOf({ input: input + cached + written, cached, written, output, reasoning: 0 });
  expect(charge).toBeGreaterThan(0n);
  expect(receipt.charge_nano_usd).toBe(String(charge));
}

/** The fields that a kind has no words for, as docs/api.md lists them: names of kinds, by API and what callers ask for. */
function documentedRefusals(): Readonly<Record<string, readonly string[]>> {
  const text = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8');
  const section = /## What isn't carried over\n([\s\S]*?)\n## /.exec(text)?.[1] ?? '';
  const rows = section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1)
    .map((row) => row.split('|').slice(1, -1));
  const names = (cell = ''): readonly string[] => cell.split(',').map((name) => name.replaceAll('`', '').trim());
  return Object.fromEntries(
    rows.flatMap(([api = '', fields, kinds]) => names(fields).map((field) => [`${api.trim()} ${field}`, names(kinds)])),
  );
}

async function refusalOf({ caller, fields, param }: Wish, kind: Kind): Promise<string | null> {
  const [feature] = FEATURES;
  if (feature === undefined) throw new Error('there are no features');
  const body = { ...caller.body(feature.asked, `${kind.name}/${feature.name}`, false), ...fields };
  const { status, text, received } = await post(caller, body);
  if (status === 200) return null;
  expect([status, received]).toEqual([400, null]);
  const { error } = JSON.parse(text) as { error: { code: string; param: string } };
  expect(error.param.slice(0, param.length)).toBe(param);
  return kind.name;
}

test('what a kind of provider has no words for is refused by the name of the field, as the docs list it', async () => {
  const refused: Record<string, readonly string[]> = {};
  for (const wish of WISHES) {
    const kinds: string[] = [];
    for (const kind of KINDS) {
      const name = await refusalOf(wish, kind);
      if (name !== null) kinds.push(name);
    }
    if (kinds.length > 0) refused[`${wish.caller.endpoint} ${wish.name ?? wish.param}`] = kinds;
  }
  expect(documentedRefusals()).toEqual(refused);
});

describe.each(KINDS.map((kind) => [kind.name, kind] as const))('%s', (_name, kind) => {
  const cells = CALLERS.flatMap((caller) =>
    FEATURES.filter(({ name }) => !caller.lacks.includes(name)).flatMap((feature) =>
      ([false, true] as const)
        .filter((stream) => feature.only === undefined || (feature.only === 'stream') === stream)
        .map((stream): Cell => ({ caller, kind, feature, stream, model: `${kind.name}/${feature.name}` })),
    ),
  );
  const rows = cells.map(
    (cell) => [cell.caller.endpoint, cell.feature.name, cell.stream ? 'streamed' : 'plain', cell] as const,
  );

  test.each(rows)('a caller of %s is answered by this kind of provider: %s, %s', async (...row) => {
    const [, , , cell] = row;
    const { trouble } = cell.feature;
    if (trouble === undefined) await expectAnswered(cell);
    else if (trouble === 'breaks') await expectBroken(cell);
    else await expectFailing(cell);
  });
});
