import type { ChatForm, ChatTarget, CompletionRequest, NativeFacet, TranslationNotes } from '../dialects/dialect.ts';
import type { Model } from '../../domain/model.ts';
import { demandedTier } from '../../domain/service-tier.ts';
import { type Refusal, refuse } from '../../domain/refusals.ts';
import { assert } from '../../lib/assert.ts';
import { andThen, type MaybeAsync } from '../../lib/maybe-async.ts';
import { ownTurn } from '../../lib/own-turn.ts';
import { type BodyFault, fieldFault } from '../openai/body-fault.ts';
import { unreadExtra } from '../openai/chat-extras.ts';
import { unknownFault } from '../openai/unknown-fields.ts';
import { type ChatRequest, readChatRequest } from '../openai/chat-request.ts';
import { translateApart } from '../upstreams/translate-apart.ts';
import { APART_BYTES } from '../upstreams/translated-attempt.ts';
import type { TranslatedRequest } from '../upstreams/translated-request.ts';
import type { SendNative, Upstream } from '../upstreams/upstream.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import type { ParsedRequest } from './read.ts';
import { invalidBody } from './invalid-body.ts';

/** A request in the form for one upstream: in the caller's dialect if the upstream speaks it, else in chat. */
export type SentRequest = ChatSent | NativeSent;

export interface ChatSent {
  readonly isChat: true;
  readonly chat: ChatRequest;
  /** The parts of the caller's request that aren't sent, by the caller's names. */
  readonly leftOut: readonly string[];
}

export interface NativeSent {
  readonly isChat: false;
  readonly native: NativeFacet;
  readonly send: SendNative;
  readonly leftOut: readonly string[];
}

/** The request in the form for this upstream; the fault if it can't be expressed for it. */
function requestFor(upstream: Upstream, model: Model, request: CompletionRequest): SentRequest | BodyFault {
  const unaccepted = unacceptedField(upstream, request);
  if (unaccepted !== null) return unaccepted;
  const unserved = unservedTier(upstream, request);
  if (unserved !== null) return unserved;
  const { native } = request;
  const send = nativeOf(upstream, request);
  if (native !== null && send !== undefined) {
    return { isChat: false, native, send, leftOut: leftOutNatively(upstream, request.leftOut, native) };
  }
  return chatFor(upstream, model, request);
}

/** The fault of an unknown field that this upstream isn't configured to accept; null if there is none. */
export function unacceptedField(upstream: Upstream, { unknown }: Pick<CompletionRequest, 'unknown'>): BodyFault | null {
  const field = unknown.find(({ name }) => upstream.acceptedFields?.has(name) !== true);
  return field === undefined ? null : unknownFault(field);
}

/** The fault of a service tier in which this upstream serves no request; null if it does, or none is named. */
function unservedTier({ serviceTiers }: Upstream, { tier }: CompletionRequest): BodyFault | null {
  const demanded = demandedTier(tier);
  if (demanded === null || serviceTiers?.includes(demanded) === true) return null;
  const param = demanded === 'fast' ? 'speed' : 'service_tier';
  return fieldFault(
    param,
    `No provider of this model serves requests in the tier "${demanded}"; leave '${param}' out.`,
  );
}

/** The parts that an upstream of the caller's dialect isn't sent, by the caller's names. */
function leftOutNatively(
  upstream: Upstream,
  leftOut: readonly string[],
  { unknownBetas }: NativeFacet,
): readonly string[] {
  if (unknownBetas.length === 0) return leftOut;
  return [...leftOut, ...unknownBetas.filter((beta) => upstream.acceptedFields?.has(beta) !== true)];
}

/** The chat form, even for an upstream that speaks the caller's dialect. */
function chatFor(upstream: Upstream, model: Model, request: CompletionRequest): ChatSent | BodyFault {
  const { chat, dialect } = request;
  if (chat === null) {
    assert(dialect.nativeOnly !== null, 'a request without a chat form is of a dialect without any');
    return dialect.nativeOnly;
  }
  const target = targetOf(upstream, model);
  const form = translatedApart.get(request)?.get(keyOf(target)) ?? chat.toChat(target);
  if (!form.ok) return form.fault;
  const unread = form.chat.extras.find((field) => upstream.chatExtras?.includes(field) !== true);
  return unread === undefined ? { isChat: true, chat: form.chat, leftOut: form.leftOut } : unreadExtra(unread);
}

/**
 * Refuses a request that can't be sent to any of its model's routes, before anything is spent. Null if one route fits;
 * synchronous if any route would.
 */
export function refuseUnsayable(gate: GatewayDeps, model: Model, parsed: ParsedRequest): MaybeAsync<Refusal | null> {
  const unknown = refuseUnknown(gate, model, parsed.request);
  if (unknown !== null) return unknown;
  const { request } = parsed;
  const { dialect, native, chat, tier } = request;
  if (native === null && chat?.extras.length === 0 && tier === null) return null;
  return andThen(request.body.length > APART_BYTES ? translateLarge(gate, model, request) : undefined, () => {
    let first: BodyFault | null = null;
    for (const route of model.routes) {
      const upstream = gate.upstreams.of(route);
      if (upstream === undefined || unacceptedField(upstream, request) !== null) continue;
      const sent = requestFor(upstream, model, request);
      if (!('message' in sent)) return null;
      first ??= sent;
    }
    const code = dialect.nativeOnly === null ? 'INVALID_REQUEST' : 'NOT_FOUND';
    return first === null ? null : refuse(code, first.message, { param: first.param });
  });
}

/** Refuses a request with a field that none of its model's providers is configured to accept; null if one is. */
export function refuseUnknown(
  gate: GatewayDeps,
  { routes }: Model,
  request: Pick<CompletionRequest, 'unknown'>,
): Refusal | null {
  if (request.unknown.length === 0) return null;
  const upstreams = routes.flatMap((route) => gate.upstreams.of(route) ?? []);
  const faults = upstreams.map((upstream) => unacceptedField(upstream, request));
  const [first = null] = faults;
  return first === null || faults.includes(null) ? null : invalidBody(first);
}

/**
 * Like `requestFor`, for a route that is about to be tried. If an earlier route was sent a large request unchanged, it
 * is translated in a thread now; otherwise synchronous.
 */
export function preparedFor(
  upstream: Upstream,
  model: Model,
  request: CompletionRequest,
): MaybeAsync<SentRequest | BodyFault> {
  const apart = nativeOf(upstream, request) === undefined ? translateLargeFor(upstream, model, request) : undefined;
  return andThen(apart, () => requestFor(upstream, model, request));
}

/** The chat form, for a route that was sent the unchanged request and is tried again. */
export function preparedChatFor(
  upstream: Upstream,
  model: Model,
  request: CompletionRequest,
): MaybeAsync<ChatSent | BodyFault> {
  return andThen(translateLargeFor(upstream, model, request), () => chatFor(upstream, model, request));
}

/** Whether a route of the model accepts the request in the caller's dialect, without a translation. */
export function isSentAsItIs(gate: GatewayDeps, { routes }: Model, request: CompletionRequest): boolean {
  return routes.some((route) => {
    const upstream = gate.upstreams.of(route);
    return upstream !== undefined && nativeOf(upstream, request) !== undefined;
  });
}

/** Chat forms that were made in a thread, by their targets. */
const translatedApart = new WeakMap<CompletionRequest, Map<string, ChatForm>>();

/** Translates a large request in a thread for all its routes; for none yet if one of them needs no translation. */
async function translateLarge(gate: GatewayDeps, model: Model, request: CompletionRequest): Promise<void> {
  await ownTurn();
  const upstreams = model.routes.map((route) => gate.upstreams.of(route)).filter((upstream) => upstream !== undefined);
  if (upstreams.some((each) => nativeOf(each, request) !== undefined)) return;
  for (const upstream of upstreams) await translateLargeFor(upstream, model, request);
}

/** Translates a request in a thread for this upstream if it is large; undefined if nothing is to be done. */
function translateLargeFor(upstream: Upstream, model: Model, request: CompletionRequest): Promise<void> | undefined {
  if (request.body.length <= APART_BYTES) return undefined;
  const notes = request.chat?.notes ?? null;
  if (notes === null) return undefined;
  const forms = translatedApart.get(request) ?? new Map<string, ChatForm>();
  translatedApart.set(request, forms);
  const target = targetOf(upstream, model);
  return forms.has(keyOf(target)) ? undefined : translateInThread(request, target, forms, notes);
}

async function translateInThread(
  request: CompletionRequest,
  target: ChatTarget,
  forms: Map<string, ChatForm>,
  notes: TranslationNotes,
): Promise<void> {
  const { dialect, body } = request;
  const translation = { to: 'chat', endpoint: dialect.endpoint, body, target } as const;
  const translated = await translateApart(translation, () => true);
  assert(translated !== null, 'a translation that is wanted is made');
  await ownTurn();
  forms.set(keyOf(target), formOf(translated));
  if (translated.ok && translated.notes !== undefined) notes.read(translated.notes);
}

function formOf(translated: TranslatedRequest): ChatForm {
  if (!translated.ok) return translated;
  const reading = readChatRequest(translated.made);
  return reading.ok ? { ok: true, chat: reading.request, leftOut: translated.leftOut ?? [] } : reading;
}

/** Sends the unchanged request to this upstream; undefined if it doesn't speak the dialect. */
function nativeOf(upstream: Upstream, { dialect }: CompletionRequest): SendNative | undefined {
  return upstream.natives?.[dialect.endpoint];
}

function targetOf(upstream: Upstream, { reasoning }: Model): ChatTarget {
  return { extensions: upstream.chatExtensions ?? 'none', reasoning };
}

function keyOf({ extensions, reasoning }: ChatTarget): string {
  return `${extensions} ${reasoning}`;
}
