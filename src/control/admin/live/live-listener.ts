import type { Act } from '../../../domain/actor.ts';
import { isRefusal } from '../../../domain/refusals.ts';
import { authorise } from '../../../domain/workspace-scope.ts';
import { LIVE_EVENTS, type LiveEventName } from './live-contract.ts';
import type { DirectedEvent } from './live-events.ts';
import type { Bytes } from '../long-answers.ts';

/** What a reader may leave unread before it is dropped; what its socket holds comes on top. */
const UNREAD_BYTES_MAX = 64 * 1_024;
/** How long a client waits before it comes back. */
const RETRY_MS = 1_000;

const NAMES = Object.keys(LIVE_EVENTS) as LiveEventName[];

interface ListenerParts {
  readonly act: Act;
  readonly workspaceId: string;
  /** Ends the connection of a reader that does not read. */
  readonly disconnect: () => void;
  /** Called once, however it ends. */
  readonly onEnd: (listener: LiveListener) => void;
}

/** One open stream of a workspace's events. */
export class LiveListener {
  readonly #parts: ListenerParts;
  readonly #encoder = new TextEncoder();
  /** The events that the actor has the right to, with the user whose own things alone it covers; null: everything. */
  #rights: ReadonlyMap<LiveEventName, string | null> = new Map();
  #act: Act;
  #controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | null = null;
  /** The body of the answer. */
  readonly body: Bytes;

  constructor(parts: ListenerParts) {
    this.#parts = parts;
    this.#act = parts.act;
    this.body = new ReadableStream<Uint8Array<ArrayBuffer>>(
      { start: (controller) => void (this.#controller = controller), cancel: () => this.#end() },
      new ByteLengthQueuingStrategy({ highWaterMark: UNREAD_BYTES_MAX }),
    );
    this.admit(parts.act);
    this.#write(`retry: ${RETRY_MS}\n\n`);
  }

  get act(): Act {
    return this.#act;
  }

  get workspaceId(): string {
    return this.#parts.workspaceId;
  }

  /** Goes on with the rights that the actor has now; ends if there is none. */
  admit(act: Act | null): void {
    if (act === null || isRefusal(authorise(act, 'workspace:read', this.workspaceId))) {
      this.close();
      return;
    }
    this.#act = act;
    this.#rights = new Map(
      NAMES.flatMap((name) => {
        const scope = authorise(act, LIVE_EVENTS[name], this.workspaceId);
        return isRefusal(scope) ? [] : [[name, scope.ownOnlyOf] as const];
      }),
    );
  }

  /** Sends those of the events that the actor has the right to. */
  send(events: readonly DirectedEvent[]): void {
    for (const { event, isForAll, of } of events) {
      const { name, data } = event;
      const ownOnlyOf = this.#rights.get(name);
      const isSeen = ownOnlyOf === null ? isForAll : ownOnlyOf !== undefined && ownOnlyOf === of;
      if (isSeen) this.#write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
    }
  }

  /** Shows the client, and proxies on the way, that the stream is alive. */
  beat(): void {
    this.#write(':\n\n');
  }

  /** Ends the stream; the client may come back. */
  close(): void {
    this.#controller?.close();
    this.#end();
  }

  #write(text: string): void {
    const controller = this.#controller;
    if (controller === null) return;
    if ((controller.desiredSize ?? 0) > 0) {
      controller.enqueue(this.#encoder.encode(text));
      return;
    }
    this.#parts.disconnect();
    this.close();
  }

  #end(): void {
    if (this.#controller === null) return;
    this.#controller = null;
    this.#parts.onEnd(this);
  }
}
