import { randomUUID } from 'node:crypto';
import type { Config, SinkConfig } from '../../config/config.ts';
import { deliverRecords } from '../../control/sinks/record-delivery.ts';
import { addLostRecords, readUsedSinks } from '../../control/sinks/workspace-sinks.ts';
import type { ContentRecorder } from '../../gate/gateway/content-recorder.ts';
import { NO_CONTENT } from '../../gate/gateway/content-recorder.ts';
import type { Observer } from '../../gate/gateway/observer.ts';
import type { ChangeFeed } from '../../gate/principals/changes.ts';
import { type Clock, SystemClock } from '../../lib/clock.ts';
import type { ControlSql } from '../../lib/control-sql.ts';
import { orAfter } from '../../lib/pause.ts';
import type { Pacer } from '../../lib/pacer.ts';
import { throttle } from '../../lib/throttle.ts';
import { Housekeeping } from '../jobs/housekeeping.ts';
import { ContentQueues } from '../sinks/content-queues.ts';
import { LossRecord } from '../sinks/loss-record.ts';
import { SinkQueue } from '../sinks/sink-queue.ts';
import { ThreadedDelivery } from '../sinks/threaded-delivery.ts';
import { UsedSinks } from '../sinks/used-sinks.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** How long the last deliveries of a process that stops may take. */
const LAST_MS = 3_000;
const WARN_EVERY_MS = 60_000;
const LOSSES_EVERY_MS = 5_000;
/** How long receipts and audit events rest after a sink has failed. */
const FAILED_REST_MS = 15_000;

interface SinkParts {
  readonly config: Pick<Config, 'sinks'>;
  readonly sql: ControlSql;
  readonly log: Log;
  readonly closing: AsyncDisposableStack;
}

/** What of the path's events goes to sinks. */
export interface ContentSinks {
  readonly recorder: ContentRecorder;
  readonly observer: Partial<Observer>;
}

const NO_SINKS: ContentSinks = {
  recorder: NO_CONTENT,
  observer: {},
};

/** Delivers prompts, answers and refusals of this process to the sinks of the config file until the program stops. */
export function startContentSinks({
  config,
  sql,
  log,
  closing,
  feed,
  clock,
  metrics,
}: SinkParts & {
  readonly feed: Pick<ChangeFeed, 'subscribe'>;
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, 'sinks'>;
}): ContentSinks {
  const { sinks } = config;
  if (sinks.length === 0) return NO_SINKS;
  const used = new UsedSinks({
    clock,
    read: () => readUsedSinks(sql),
    onFault: throttle(clock, WARN_EVERY_MS, (fault: unknown) =>
      log.warn({ err: fault }, 'what workspaces have delivered to sinks could not be read; will retry'),
    ),
  });
  const losses = new LossRecord({ clock, everyMs: LOSSES_EVERY_MS, write: (lost) => addLostRecords(sql, lost) });
  const opened = sinks.map((sink) => openQueue(sink, { used, losses, clock, metrics, log }));
  closing.defer(async () => {
    await Promise.all(opened.map(({ queue }) => queue.stop(LAST_MS)));
    for (const { delivery } of opened) delivery.stop();
    await used.stop();
    await losses.stop(LAST_MS);
  });
  const read = (): void => used.invalidate();
  feed.subscribe(({ kind }) => kind === 'workspace' && read(), read);
  read();
  const queues = new Map(opened.map(({ queue }) => [queue.name, queue]));
  const recorder = new ContentQueues({ used, queues, nowMs: () => clock.nowMs() });
  return {
    recorder,
    observer: { refused: (request) => recorder.refused(request) },
  };
}

interface QueueSurroundings {
  readonly used: UsedSinks;
  readonly losses: LossRecord;
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, 'sinks'>;
  readonly log: Log;
}

function openQueue(
  sink: SinkConfig,
  { used, losses, clock, metrics, log }: QueueSurroundings,
): { readonly queue: SinkQueue; readonly delivery: ThreadedDelivery } {
  const delivery = new ThreadedDelivery(sink);
  const queue = new SinkQueue({
    sink,
    clock,
    delivery,
    settingOf: (workspaceId) => used.of(workspaceId)?.find((each) => each.sink === sink.name) ?? null,
    counted: (fate, records) => metrics.sinks.recordsAre(sink.name, fate, records),
    onLoss: (workspaceId, records) => losses.add({ sink: sink.name, workspaceId, records }),
    onFault: failing(sink, clock, log),
  });
  metrics.sinks.watch(sink.name, () => queue.waitingBytes);
  return { queue, delivery };
}

function failing({ name }: SinkConfig, clock: Clock, log: Log): (reason: string) => void {
  return throttle(clock, WARN_EVERY_MS, (reason: string) =>
    log.warn({ event: 'sink_failed', sink: name, reason }, 'a sink could not be delivered to; will retry'),
  );
}

/** Delivers receipts and audit events until the program stops. One process of an instance is enough for it. */
export function startRecordSinks({ config, sql, pacer, log, closing }: SinkParts & { readonly pacer: Pacer }): void {
  const clock = new SystemClock();
  const holder = randomUUID();
  for (const sink of config.sinks) {
    const delivery = new ThreadedDelivery(sink);
    const onFault = failing(sink, clock, log);
    let batches = 0;
    let restsUntilMs = 0;
    const deliver = async (workspaceId: string, records: readonly object[]): Promise<string | null> => {
      const lines = records.map((record) => JSON.stringify(record));
      const done = await delivery.deliver({ workspaceId, number: batches++, records: lines, lost: null });
      return done.ok ? null : done.reason;
    };
    const run = async (): Promise<void> => {
      if (clock.monotonicMs() < restsUntilMs) return;
      const fault = await deliverRecords({ sql, pacer, sink: sink.name, holder, deliver });
      if (fault === null) return;
      restsUntilMs = clock.monotonicMs() + FAILED_REST_MS;
      onFault(fault);
    };
    let running: Promise<void> = Promise.resolve();
    const rota = new Housekeeping(
      clock,
      [() => (running = run())],
      (fault) => log.warn({ err: fault, sink: sink.name }, 'receipts could not be read for a sink; will retry'),
      { intervalMs: sink.deliverEveryMs },
    );
    rota.start();
    closing.defer(async () => {
      rota.stop();
      await orAfter(
        clock,
        running.catch(() => undefined),
        LAST_MS,
      );
      delivery.stop();
    });
  }
}
