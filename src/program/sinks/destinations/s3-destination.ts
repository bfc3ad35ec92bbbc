import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { AwsClient } from 'aws4fetch';
import type { S3SinkConfig } from '../../../config/config.ts';
import { BatchRejected, type Destination, type LineBatch } from './destination.ts';

const TOO_LARGE = 413;
/** What of an answer that refuses is quoted: the beginning has the code. */
const QUOTED_CHARACTERS = 300;

/**
 * Objects of an S3-compatible store: each batch is one, of gzipped JSON lines. A batch that is sent again, because its answer was
 * lost, replaces its object. It compresses synchronously, in its own thread: see `FileDestination`.
 */
export class S3Destination implements Destination {
  readonly #sink: S3SinkConfig;
  readonly #process: string;
  readonly #client: AwsClient;
  readonly #nowMs: () => number;
  /** Of the batch that was tried last, the object: its name has the time of the first attempt. */
  #last: { readonly number: number; readonly key: string } | null = null;

  constructor(sink: S3SinkConfig, process: string, nowMs: () => number) {
    const { accessKeyId, secretAccessKey, region } = sink;
    this.#sink = sink;
    this.#process = process;
    // Batches are tried again by their queues.
    this.#client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 0 });
    this.#nowMs = nowMs;
  }

  async write(batch: LineBatch): Promise<void> {
    const { endpoint, bucket, timeoutMs } = this.#sink;
    if (this.#last?.number !== batch.number) this.#last = { number: batch.number, key: this.#keyOf(batch) };
    const body = gzipSync(batch.lines.map((line) => `${line}\n`).join(''));
    const response = await this.#client.fetch(`${endpoint}/${bucket}/${this.#last.key}`, {
      method: 'PUT',
      body,
      headers: {
        'content-type': 'application/gzip',
        'x-amz-content-sha256': createHash('sha256').update(body).digest('hex'),
      },
      // A redirection would need a signature of its own, and may lead anywhere.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    if (response.ok) return;
    const reason = `the store answered ${response.status}: ${text.slice(0, QUOTED_CHARACTERS)}`;
    throw response.status === TOO_LARGE ? new BatchRejected(reason) : new Error(reason);
  }

  /** `prefix/workspace/yyyy/mm/dd/hh-process-number.jsonl.gz` */
  #keyOf({ workspaceId, number }: LineBatch): string {
    const time = new Date(this.#nowMs()).toISOString();
    const hour = `${time.slice(0, 10).replaceAll('-', '/')}/${time.slice(11, 13)}`;
    const { prefix } = this.#sink;
    const start = prefix === null ? '' : `${prefix}/`;
    return `${start}${workspaceId}/${hour}-${this.#process}-${number}.jsonl.gz`;
  }
}
