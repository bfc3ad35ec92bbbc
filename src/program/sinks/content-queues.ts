import type { UsedSink } from '../../control/sinks/workspace-sinks.ts';
import { recordOf } from '../../control/refusals/recorded-refusal.ts';
import type { Principal } from '../../domain/principal.ts';
import type { RefusedRequest } from '../../domain/refused-request.ts';
import type { Redaction } from '../../domain/sinks.ts';
import type { ContentRecorder, ContentRecording } from '../../gate/gateway/content-recorder.ts';
import type { EndedRequest, Observer } from '../../gate/gateway/observer.ts';
import type { ContentRecord } from './sink-batch.ts';
import type { SinkQueue } from './sink-queue.ts';
import type { UsedSinks } from './used-sinks.ts';

/** What a record takes in memory besides its bytes. */
const RECORD_BYTES = 1_024;
/** A small body may be a view of a chunk that is much larger, and would keep it alive. */
const VIEW_BYTES_MAX = 65_536;
/** Of the last digits of a request's id, which are random. */
const SAMPLE_DIGITS = 8;
const SAMPLE_END = 16 ** SAMPLE_DIGITS;

/** A sink that records of a request go to, and what is taken out for it. */
interface Target {
  readonly queue: SinkQueue;
  readonly redact: readonly Redaction[];
}

interface ContentQueuesParts {
  readonly used: Pick<UsedSinks, 'of'>;
  /** By the names of their sinks. */
  readonly queues: ReadonlyMap<string, SinkQueue>;
  readonly nowMs: () => number;
}

/** Puts prompts, answers and refusals into the queues of the sinks that their workspaces use. */
export class ContentQueues implements ContentRecorder, Pick<Observer, 'refused'> {
  readonly #parts: ContentQueuesParts;

  constructor(parts: ContentQueuesParts) {
    this.#parts = parts;
  }

  begin({ workspaceId }: Principal, requestId: string): ContentRecording | null {
    const used = this.#parts.used.of(workspaceId);
    if (used === undefined) return null;
    const targets = used
      .filter(({ records, samplePercent }) => records.includes('content') && isSampled(requestId, samplePercent))
      .flatMap((sink) => this.#target(sink));
    return targets.length === 0 ? null : new Recording(workspaceId, targets);
  }

  refused(request: RefusedRequest): void {
    const { principal } = request;
    const used = principal === null ? undefined : this.#parts.used.of(principal.workspaceId);
    if (used === undefined || principal === null) return;
    const targets = used.filter(({ records }) => records.includes('refusals')).flatMap((sink) => this.#target(sink));
    if (targets.length === 0) return;
    const line = refusalLine(request, principal, this.#parts.nowMs());
    const bytes = RECORD_BYTES + line.length * 2;
    for (const { queue } of targets) {
      if (queue.take(principal.workspaceId, bytes)) {
        queue.push(principal.workspaceId, { kind: 'refusals', bytes, make: () => line });
      } else queue.lose(principal.workspaceId, 'queue_full', 1);
    }
  }

  #target({ sink, redact }: UsedSink): readonly Target[] {
    const queue = this.#parts.queues.get(sink);
    return queue === undefined ? [] : [{ queue, redact }];
  }
}

/** One request's prompt and answer, as far as the queues have room for it. */
class Recording implements ContentRecording {
  readonly #workspaceId: string;
  readonly #parts: (Buffer | string)[] = [];
  #targets: readonly Target[];
  #bytes = RECORD_BYTES;

  constructor(workspaceId: string, targets: readonly Target[]) {
    this.#workspaceId = workspaceId;
    this.#targets = targets;
    this.#keepTargets(({ queue }) => queue.take(workspaceId, RECORD_BYTES), 0);
  }

  answered(part: Buffer | string): void {
    this.#take(part.length);
    if (this.#targets.length > 0) this.#parts.push(typeof part === 'string' ? part : ownBytes(part));
  }

  ended(request: EndedRequest, prompt: Buffer): void {
    this.#take(prompt.length);
    const [bytes, workspaceId] = [this.#bytes, this.#workspaceId];
    if (this.#targets.length === 0) return;
    const own = ownBytes(prompt);
    const fields = fieldsOf(request);
    const answer = this.#parts;
    const { streamed } = request.receipt;
    for (const { queue, redact } of this.#targets) {
      const make = (now: readonly Redaction[]): ContentRecord => ({
        fields,
        // What was to be redacted when the request was made is, although it need not be any more.
        redact: [...new Set([...redact, ...now])],
        prompt: Uint8Array.from(own),
        answer: answer.length === 0 ? null : joined(answer),
        streamed,
      });
      queue.push(workspaceId, { kind: 'content', bytes, make });
    }
  }

  #take(bytes: number): void {
    this.#keepTargets(({ queue }) => queue.take(this.#workspaceId, bytes), this.#bytes);
    this.#bytes += bytes;
  }

  /** Continues the sinks with room in their queues. `taken`: what the others have given until now. */
  #keepTargets(hasRoom: (target: Target) => boolean, taken: number): void {
    this.#targets = this.#targets.filter((target) => {
      if (hasRoom(target)) return true;
      if (taken > 0) target.queue.giveBack(this.#workspaceId, taken);
      target.queue.lose(this.#workspaceId, 'queue_full', 1);
      return false;
    });
    if (this.#targets.length === 0) this.#parts.length = 0;
  }
}

function isSampled(requestId: string, percent: number): boolean {
  return percent === 100 || Number.parseInt(requestId.slice(-SAMPLE_DIGITS), 16) < (percent / 100) * SAMPLE_END;
}

function ownBytes(bytes: Buffer): Buffer {
  return bytes.length > VIEW_BYTES_MAX ? bytes : Buffer.from(Uint8Array.from(bytes).buffer);
}

function joined(parts: readonly (Buffer | string)[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  const view = Buffer.from(whole.buffer);
  let at = 0;
  for (const part of parts) {
    if (typeof part === 'string') view.write(part, at, 'latin1');
    else whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function fieldsOf({ receipt, code }: EndedRequest): object {
  return {
    record: 'content',
    workspace_id: receipt.workspaceId,
    project_id: receipt.projectId,
    key_id: receipt.keyId,
    request_id: receipt.requestId,
    client_request_id: receipt.clientRequestId,
    at: new Date(receipt.admittedAtMs).toISOString(),
    dialect: receipt.dialect,
    model: receipt.model,
    streamed: receipt.streamed,
    outcome: receipt.outcome,
    code,
  };
}

function refusalLine(request: RefusedRequest, principal: Principal, nowMs: number): string {
  const refusal = recordOf(request, principal, nowMs);
  return JSON.stringify({
    record: 'refusals',
    workspace_id: refusal.workspaceId,
    project_id: refusal.projectId,
    key_id: refusal.keyId,
    request_id: refusal.requestId,
    at: new Date(nowMs).toISOString(),
    code: refusal.code,
    status: refusal.status,
    dialect: refusal.endpoint,
    model: refusal.model,
    param: refusal.param,
    retry_after_ms: refusal.retryAfterMs,
  });
}
