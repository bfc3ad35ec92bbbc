import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '../../domain/principal.ts';
import type { Refusal } from '../../domain/refusals.ts';
import {
  type Caller,
  FORWARDED_HEADER,
  IDEMPOTENCY_HEADER,
  MAX_COST_HEADER,
  REPORT_COST_HEADER,
  type ReadFailure,
  type ReplyHeaders,
} from '../../gate/gateway/caller.ts';
import type { ByteBudget } from '../../lib/byte-budget.ts';
import { GatheredBytes } from '../../lib/gathered-bytes.ts';
import { TEXT_BYTES_MAX } from '../../lib/write-together.ts';
import { readBody } from './body-reader.ts';
import { clientIdOf, JSON_HEADERS, sessionOf, STREAM_HEADERS } from './caller-headers.ts';
import { CHAT_REPLY_FORM } from '../../gate/dialects/chat/chat-reply-form.ts';
import type { ReplyForm } from '../../gate/dialects/dialect.ts';
import { refusalResponse } from './refusal-response.ts';
import type { BodyLimits } from './server-limits.ts';

/** A caller on a connection that node:http reads. */
export class NodeCaller implements Caller {
  readonly requestId: string;
  readonly bodyBytesMax: number;
  readonly principal: Principal | null;
  readonly #message: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #budget: ByteBudget;
  readonly #onGone: (() => void)[] = [];
  readonly #onHalfClosed: (() => void)[] = [];
  #form: ReplyForm = CHAT_REPLY_FORM;
  readonly #body: GatheredBytes;
  #reserved = 0;
  #isGone = false;
  #isOver = false;

  /** `principal`: the caller, if it is known without a key. */
  constructor(
    requestId: string,
    message: IncomingMessage,
    response: ServerResponse,
    limits: BodyLimits,
    principal: Principal | null = null,
  ) {
    this.requestId = requestId;
    this.bodyBytesMax = limits.bodyBytesMax;
    this.principal = principal;
    this.#message = message;
    this.#response = response;
    this.#budget = limits.budget;
    this.#body = new GatheredBytes(limits.bodyBytesMax, limits.budget);
    response.on('close', () => this.#close());
    message.socket.once('end', this.#halfClose);
  }

  get method(): string {
    return this.#message.method ?? 'GET';
  }

  get target(): string {
    return this.#message.url ?? '/';
  }

  get authorization(): string | undefined {
    return this.#message.headers.authorization;
  }

  get peerAddress(): string {
    return this.#message.socket.remoteAddress ?? '';
  }

  get forwardedFor(): string | undefined {
    return this.#single('x-forwarded-for');
  }

  get contentType(): string | undefined {
    return this.#message.headers['content-type'];
  }

  get contentEncoding(): string | undefined {
    return this.#message.headers['content-encoding'];
  }

  get apiKey(): string | undefined {
    return this.#single('x-api-key');
  }

  get anthropicVersion(): string | undefined {
    return this.#single('anthropic-version');
  }

  get anthropicBeta(): string | undefined {
    return this.#single('anthropic-beta');
  }

  get maxCost(): string | undefined {
    return this.#single(MAX_COST_HEADER);
  }

  get reportCost(): string | undefined {
    return this.#single(REPORT_COST_HEADER);
  }

  get forwardedBy(): string | undefined {
    return this.#single(FORWARDED_HEADER);
  }

  get idempotencyKey(): string | undefined {
    const key = this.#message.headers[IDEMPOTENCY_HEADER.toLowerCase()];
    return Array.isArray(key) ? key.join(', ') : key;
  }

  get clientRequestId(): string | null {
    return clientIdOf(this.#message.headers['x-request-id']);
  }

  get session(): string | null {
    const { headers } = this.#message;
    return sessionOf(
      headers['session-id'],
      headers['session_id'],
      headers['x-claude-code-session-id'],
      headers['x-session-id'],
    );
  }

  get traceParent(): string | undefined {
    return this.#single('traceparent');
  }

  get traceState(): string | undefined {
    return this.#single('tracestate');
  }

  get bodyBytes(): number | null {
    const { headers } = this.#message;
    return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : null;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  get hasStarted(): boolean {
    return this.#response.headersSent;
  }

  onGone(callback: () => void): void {
    if (this.#isGone) callback();
    else this.#onGone.push(callback);
  }

  get isHalfClosed(): boolean {
    return this.#message.socket.readableEnded;
  }

  onHalfClosed(callback: () => void): void {
    if (this.isHalfClosed) callback();
    else this.#onHalfClosed.push(callback);
  }

  async readBody(): Promise<Buffer | ReadFailure> {
    const outcome = await readBody(this.#message, this.#body);
    // A rejected body must not keep its memory until the connection is closed.
    if (!Buffer.isBuffer(outcome)) this.#giveBack();
    return outcome;
  }

  reserve(bytes: number): boolean {
    if (this.#isOver || !this.#budget.take(bytes)) return false;
    this.#reserved += bytes;
    return true;
  }

  answerIn(form: ReplyForm): void {
    this.#form = form;
  }

  refuse(refusal: Refusal): void {
    if (this.hasStarted || this.#isGone) {
      this.#response.end();
      return;
    }
    const { status, headers, body } = refusalResponse(refusal, this.requestId, this.#form);
    this.#response.writeHead(status, [
      ...headers,
      ...(refusal.closeConnection === true ? ['connection', 'close'] : []),
    ]);
    this.#response.end(body);
  }

  answer(body: Buffer, headers: ReplyHeaders): void {
    if (this.#isGone) return;
    this.#begin([...JSON_HEADERS, 'content-length', String(body.length)], headers);
    // Node sends head and body together if the body is a string.
    if (body.length > TEXT_BYTES_MAX) this.#response.end(body);
    else this.#response.end(body.toString('latin1'), 'latin1');
  }

  startStream(headers: ReplyHeaders): void {
    this.#begin(STREAM_HEADERS, headers);
  }

  startRelayed(status: number, headers: ReplyHeaders): void {
    if (!this.#isGone) this.#response.writeHead(status, [...headers]);
  }

  write(text: string): boolean {
    return this.#response.write(text, 'latin1');
  }

  onDrain(callback: () => void): void {
    this.#response.on('drain', callback);
  }

  end(): void {
    this.#response.end();
  }

  destroy(): void {
    if (!this.#response.writableFinished) this.#response.destroy();
  }

  /** A header that is sent once, or that Node joins into one value. */
  #single(name: string): string | undefined {
    const value = this.#message.headers[name];
    return typeof value === 'string' ? value : undefined;
  }

  #begin(own: readonly string[], headers: ReplyHeaders): void {
    this.#response.writeHead(200, [...this.#form.idHeaders(this.requestId), ...own, ...headers]);
  }

  #giveBack(): void {
    this.#body.drop();
    this.#budget.giveBack(this.#reserved);
    this.#reserved = 0;
  }

  readonly #halfClose = (): void => {
    for (const callback of this.#onHalfClosed.splice(0)) callback();
  };

  #close(): void {
    this.#message.socket.off('end', this.#halfClose);
    this.#isOver = true;
    this.#giveBack();
    if (this.#response.writableFinished) return;
    this.#isGone = true;
    for (const callback of this.#onGone.splice(0)) callback();
  }
}
