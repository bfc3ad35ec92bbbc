import type { IncomingMessage, ServerResponse } from 'node:http';
import { ByteBudget } from '../../src/lib/byte-budget.ts';
import type { PlainCaller } from '../../src/program/http/plain/plain-caller.ts';
import { ConnectionQuota } from '../../src/program/http/connection-quota.ts';
import { HttpServer, type ListenTarget } from '../../src/program/http/server.ts';
import type { ServerLimits } from '../../src/program/http/server-limits.ts';

/** The request lines that the server answers from the bare socket, where they are sent plainly. */
export const PLAIN_LINES: readonly string[] = ['POST /v1/embeddings HTTP/1.1', 'GET /v1/models HTTP/1.1'];

export const HEADER_BYTES_MAX = 4_096;
export const BODY_BYTES_MAX = 1_000_000;

/** What a test does with a request that came plainly, and with one that came through node:http. */
export interface RecordingHandlers {
  readonly plain: (caller: PlainCaller, line: string) => void | Promise<void>;
  readonly any: (message: IncomingMessage, response: ServerResponse) => void;
}

/** An HTTP server alone, without the program around it, that a test may ask what it has kept. */
export class RecordingServer {
  readonly front: HttpServer;
  readonly budget: ByteBudget;
  readonly url: string;
  readonly #faults: readonly unknown[];

  private constructor(front: HttpServer, budget: ByteBudget, url: string, faults: readonly unknown[]) {
    this.front = front;
    this.budget = budget;
    this.url = url;
    this.#faults = faults;
  }

  static async start(
    handlers: RecordingHandlers,
    limits: Partial<ServerLimits> = {},
    target: ListenTarget = { host: '127.0.0.1', port: 0 },
  ): Promise<RecordingServer> {
    const budget = limits.budget ?? new ByteBudget(100_000_000);
    const faults: unknown[] = [];
    let ids = 0;
    const patient = { idleMs: 60_000, headersMs: 60_000, requestMs: 60_000 };
    const sizes = { headerBytesMax: HEADER_BYTES_MAX, bodyBytesMax: BODY_BYTES_MAX };
    const quota = { connectionsMax: 1_000, connectionsPerAddressMax: 1_000 };
    const connections = new ConnectionQuota(quota, () => undefined);
    const front = new HttpServer({ ...patient, ...sizes, connections, ...limits, budget }, () => `id-${(ids += 1)}`, {
      any: (_requestId, message, response) => handlers.any(message, response),
      plain: (line) => {
        if (!PLAIN_LINES.includes(line)) return undefined;
        return (caller) => {
          Promise.resolve(handlers.plain(caller, line)).catch((fault: unknown) => faults.push(fault));
        };
      },
    });
    return new RecordingServer(front, budget, await front.listen(target), faults);
  }

  /** Stops it. @throws the first fault of a handler */
  async stop(): Promise<void> {
    await this.front.drain(0);
    if (this.#faults.length > 0) throw this.#faults[0];
  }
}
