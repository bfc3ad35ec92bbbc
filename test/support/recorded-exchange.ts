import type { ExchangeHandler } from '../../src/gate/upstreams/http/http-client.ts';
import type { ResponseHeaders } from '../../src/gate/upstreams/http/response-head.ts';
import type { TransportFault } from '../../src/gate/upstreams/http/transport-fault.ts';

/** Keeps all that an exchange says, and counts how often it ended. */
export class RecordedExchange implements ExchangeHandler {
  status = 0;
  headers: ResponseHeaders = {};
  readonly chunks: Buffer[] = [];
  readonly endings: ('end' | TransportFault)[] = [];
  calls = 0;
  readonly #started = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<void>();

  start(status: number, headers: ResponseHeaders): void {
    this.calls++;
    this.status = status;
    this.headers = headers;
    this.#started.resolve();
  }

  data(chunk: Buffer): void {
    this.calls++;
    this.chunks.push(chunk);
  }

  end(): void {
    this.calls++;
    this.endings.push('end');
    this.#ended.resolve();
  }

  fail(fault: TransportFault): void {
    this.calls++;
    this.endings.push(fault);
    this.#ended.resolve();
  }

  /** Resolves once the status has come. */
  get started(): Promise<void> {
    return this.#started.promise;
  }

  get text(): string {
    return Buffer.concat(this.chunks).toString();
  }

  async ended(): Promise<'end' | TransportFault> {
    await this.#ended.promise;
    if (this.endings.length > 1) throw new Error(`ended more than once: ${JSON.stringify(this.endings)}`);
    return this.endings[0] as 'end' | TransportFault;
  }
}
