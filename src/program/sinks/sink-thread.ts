import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { SinkConfig } from '../../config/config.ts';
import { assert } from '../../lib/assert.ts';
import { linesOf } from './batch-lines.ts';
import { BatchRejected, type Destination } from './destinations/destination.ts';
import { FileDestination } from './destinations/file-destination.ts';
import { OtlpDestination } from './destinations/otlp-destination.ts';
import { S3Destination } from './destinations/s3-destination.ts';
import type { Delivery, SinkBatch } from './sink-batch.ts';
import { faultMessage } from '../../lib/fault-message.ts';

// The entry of the thread that redacts for one sink and delivers to it, so that neither takes time of the event loop that
// serves requests, and a sink that hangs holds no other.

/** What the thread starts with. */
export interface SinkThreadData {
  readonly sink: SinkConfig;
  /** Distinguishes the files and objects of this thread from those of others. */
  readonly process: string;
}

/** A batch, numbered so that its outcome is known from others. */
export interface SinkTask {
  readonly task: number;
  readonly batch: SinkBatch;
}

export interface SinkOutcome {
  readonly task: number;
  readonly delivery: Delivery;
}

/** How far it stands back for the threads that serve requests. */
const NICENESS = 10;

// Linux knows priorities of single threads; elsewhere this would be the whole process's.
if (process.platform === 'linux') setPriority(NICENESS);

async function destinationOf({ sink, process: name }: SinkThreadData): Promise<Destination> {
  switch (sink.kind) {
    case 'file':
      return new FileDestination(sink, name, Date.now);
    case 's3':
      return new S3Destination(sink, name, Date.now);
    case 'otlp': {
      const { openLogExport } = await import('../telemetry/otlp/log-export.ts');
      return new OtlpDestination(openLogExport(sink, name));
    }
  }
}

async function deliver(destination: Promise<Destination>, batch: SinkBatch): Promise<Delivery> {
  const { lines, unreadable } = linesOf(batch);
  try {
    if (lines.length > 0) await (await destination).write({ ...batch, lines });
    return { ok: true, unreadable };
  } catch (fault) {
    const reason = faultMessage(fault);
    return { ok: false, reason, isFinal: fault instanceof BatchRejected };
  }
}

const port = parentPort;
assert(port !== null, 'this is the entry of a thread');
const destination = destinationOf(workerData as SinkThreadData);
let last: Promise<void> = Promise.resolve();
port.on('message', ({ task, batch }: SinkTask) => {
  last = last
    .then(() => deliver(destination, batch))
    .then((delivery) => port.postMessage({ task, delivery } satisfies SinkOutcome));
});
