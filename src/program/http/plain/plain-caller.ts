import type { Refusal } from '../../../domain/refusals.ts';
import type { Caller, ReadFailure, ReplyHeaders } from '../../../gate/gateway/caller.ts';
import { CHAT_REPLY_FORM } from '../../../gate/dialects/chat/chat-reply-form.ts';
import type { ReplyForm } from '../../../gate/dialects/dialect.ts';
import { clientIdOf, JSON_HEADERS, sessionOf, STREAM_HEADERS } from '../caller-headers.ts';
import { refusalResponse } from '../refusal-response.ts';
import { chunkText, type HeaderLists, LAST_CHUNK } from './answer-text.ts';
import type { PlainBody } from './plain-body.ts';
import type { PlainHead } from './plain-head.ts';

/** A caller's view of its connection. */
export interface CallerLine {
  /** The address at the other end. */
  readonly peerAddress: string;
  /** Sends a whole answer. `closes`: it is the last one of the connection. */
  reply(status: number, headers: HeaderLists, body: Buffer, closes: boolean): void;
  /** Sends the head of a chunked answer, together with the chunks written in the same turn. */
  start(status: number, headers: HeaderLists): void;
  /** Sends latin1 after the head; returns false to request a pause. */
  send(text: string): boolean;
  /** Sends the last bytes. */
  finish(text: string): void;
  /** Called when a reader waits for the body. */
  wantsBody(): void;
  destroy(): void;
}

const CHUNKED = ['transfer-encoding', 'chunked'] as const;

type Callbacks = readonly (() => void)[];
const NOBODY: Callbacks = Object.freeze([]);

/** A caller on a connection that is read here rather than by node:http. */
export class PlainCaller implements Caller {
  readonly requestId: string;
  readonly bodyBytesMax: number;
  readonly principal = null;
  readonly #head: PlainHead;
  readonly #body: PlainBody;
  readonly #line: CallerLine;
  #onGone: Callbacks = NOBODY;
  #onHalfClosed: Callbacks = NOBODY;
  #onDrain: Callbacks = NOBODY;
  #form: ReplyForm = CHAT_REPLY_FORM;
  #hasStarted = false;
  /** Whether its answer is complete, so that the connection belongs to the next request. */
  #hasEnded = false;
  #isGone = false;
  #isHalfClosed = false;

  constructor(requestId: string, head: PlainHead, body: PlainBody, line: CallerLine, bodyBytesMax: number) {
    this.requestId = requestId;
    this.bodyBytesMax = bodyBytesMax;
    this.#head = head;
    this.#body = body;
    this.#line = line;
  }

  get method(): string {
    return this.#head.line.slice(0, this.#head.line.indexOf(' '));
  }

  get target(): string {
    return this.#head.line.slice(this.#head.line.indexOf(' ') + 1, this.#head.line.lastIndexOf(' '));
  }

  get authorization(): string | undefined {
    return this.#head.authorization;
  }

  get peerAddress(): string {
    return this.#line.peerAddress;
  }

  get forwardedFor(): string | undefined {
    return this.#head.forwardedFor;
  }

  get contentType(): string | undefined {
    return this.#head.contentType;
  }

  get contentEncoding(): string | undefined {
    return this.#head.contentEncoding;
  }

  get apiKey(): string | undefined {
    return this.#head.apiKey;
  }

  get anthropicVersion(): string | undefined {
    return this.#head.anthropicVersion;
  }

  get anthropicBeta(): string | undefined {
    return this.#head.anthropicBeta;
  }

  get maxCost(): string | undefined {
    return this.#head.maxCost;
  }

  get reportCost(): string | undefined {
    return this.#head.reportCost;
  }

  get forwardedBy(): string | undefined {
    return this.#head.forwardedBy;
  }

  get idempotencyKey(): string | undefined {
    return this.#head.idempotencyKey;
  }

  get clientRequestId(): string | null {
    return clientIdOf(this.#head.requestId);
  }

  get session(): string | null {
    const { session, underscoredSession, claudeCodeSession, prefixedSession } = this.#head;
    return sessionOf(session, underscoredSession, claudeCodeSession, prefixedSession);
  }

  get traceParent(): string | undefined {
    return this.#head.traceParent;
  }

  get traceState(): string | undefined {
    return this.#head.traceState;
  }

  get bodyBytes(): number {
    return this.#head.length;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  onGone(callback: () => void): void {
    if (this.#isGone) callback();
    else this.#onGone = [...this.#onGone, callback];
  }

  get isHalfClosed(): boolean {
    return this.#isHalfClosed;
  }

  onHalfClosed(callback: () => void): void {
    if (this.#isHalfClosed) callback();
    else this.#onHalfClosed = [...this.#onHalfClosed, callback];
  }

  readBody(): Buffer | ReadFailure | Promise<Buffer | ReadFailure> {
    const body = this.#body.read();
    if (body instanceof Promise) this.#line.wantsBody();
    return body;
  }

  reserve(bytes: number): boolean {
    return this.#body.reserve(bytes);
  }

  answerIn(form: ReplyForm): void {
    this.#form = form;
  }

  refuse(refusal: Refusal): void {
    if (this.#isGone) return;
    if (this.#hasStarted) {
      this.end();
      return;
    }
    const { status, headers, body } = refusalResponse(refusal, this.requestId, this.#form);
    this.#hasStarted = true;
    this.#hasEnded = true;
    this.#line.reply(status, [headers], body, refusal.closeConnection === true);
  }

  answer(body: Buffer, headers: ReplyHeaders): void {
    if (this.#isGone || this.#hasEnded) return;
    this.#hasStarted = true;
    this.#hasEnded = true;
    const id = this.#form.idHeaders(this.requestId);
    this.#line.reply(200, [id, JSON_HEADERS, ['content-length', String(body.length)], headers], body, false);
  }

  startStream(headers: ReplyHeaders): void {
    if (this.#isGone) return;
    this.#hasStarted = true;
    this.#line.start(200, [this.#form.idHeaders(this.requestId), STREAM_HEADERS, CHUNKED, headers]);
  }

  startRelayed(status: number, headers: ReplyHeaders): void {
    if (this.#isGone) return;
    this.#hasStarted = true;
    this.#line.start(status, [headers, CHUNKED]);
  }

  write(text: string): boolean {
    // An empty chunk would end the answer.
    return this.#isGone || this.#hasEnded || text === '' || this.#line.send(chunkText(text));
  }

  onDrain(callback: () => void): void {
    this.#onDrain = [...this.#onDrain, callback];
  }

  end(): void {
    if (this.#isGone || this.#hasEnded) return;
    this.#hasEnded = true;
    this.#line.finish(LAST_CHUNK);
  }

  /** Destroys the connection, unless the caller has been answered. */
  destroy(): void {
    if (!this.#hasEnded) this.#line.destroy();
  }

  /** The connection accepts more bytes again. */
  drained(): void {
    for (const callback of this.#onDrain) callback();
  }

  /** The caller has closed its side. */
  halfClose(): void {
    if (this.#hasEnded) return;
    this.#isHalfClosed = true;
    const callbacks = this.#onHalfClosed;
    this.#onHalfClosed = NOBODY;
    for (const callback of callbacks) callback();
  }

  /** The connection was lost before the answer was complete. */
  leave(): void {
    this.#isGone = true;
    const callbacks = this.#onGone;
    this.#onGone = NOBODY;
    for (const callback of callbacks) callback();
  }
}
