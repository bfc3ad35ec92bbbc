import type { Cancel, Clock } from '../../lib/clock.ts';
import type { ControlSql } from '../../lib/control-sql.ts';
import type { MailNotice, Notice, SendResult, WebhookNotice } from './notice.ts';
import { type ClaimedNotice, claimNotices, isAnyDue, recordResult } from './outbox-store.ts';
import { type SendLane, sendLanes } from './send-lane.ts';

const INTERVAL_MS = 2_000;

/** The means of sending. They never throw, and take less than two minutes. */
export interface NoticeSenders {
  mail(notice: MailNotice): Promise<SendResult>;
  webhook(notice: WebhookNotice): Promise<SendResult>;
}

interface OutboxParts {
  readonly sql: ControlSql;
  readonly clock: Pick<Clock, 'after' | 'monotonicMs'>;
  readonly senders: NoticeSenders;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** Called for each notice that is given up. */
  readonly onGivenUp: (notice: Notice, reason: string) => void;
  readonly onFault: (fault: unknown) => void;
}

/**
 * Sends what waits in the outbox, a few notices at a time, until it is stopped. Any number of processes may do so. A notice
 * is sent again if a process dies, or loses the database, between its arrival and the record of it: under the same id.
 */
export class Outbox {
  readonly #parts: OutboxParts;
  readonly #sending = new Set<Promise<void>>();
  readonly #lanes = sendLanes();
  #looking: Promise<void> = Promise.resolve();
  #cancel: Cancel = () => undefined;
  #stopped = false;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#cancel = this.#parts.clock.after(INTERVAL_MS, () => {
      this.#looking = this.look().finally(() => {
        if (!this.#stopped) this.start();
      });
    });
  }

  /** Begins to send what is due, as far as there are places. Returns once it has begun. */
  async look(): Promise<void> {
    try {
      if (!(await isAnyDue(this.#parts.sql))) return;
    } catch (fault) {
      this.#parts.onFault(fault);
      return;
    }
    const results = await Promise.allSettled(this.#lanes.map((lane) => this.#fill(lane)));
    // Lanes share their database, so one report is enough.
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) this.#parts.onFault(failed.reason);
  }

  async #fill(lane: SendLane): Promise<void> {
    while (!this.#stopped && lane.isOpen) {
      const claimed = await claimNotices(this.#parts.sql, lane.request());
      for (const each of claimed) this.#begin(each, lane);
      if (claimed.length === 0 && !lane.beginRound()) return;
    }
  }

  /** Resolves once nothing is being sent. */
  async idle(): Promise<void> {
    while (this.#sending.size > 0) await Promise.all(this.#sending);
  }

  /** Claims no more, and waits for what is being sent. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#looking;
    await this.idle();
  }

  #begin(claimed: ClaimedNotice, lane: SendLane): void {
    const { clock, onFault } = this.#parts;
    const startMs = clock.monotonicMs();
    lane.began(claimed);
    const sending = this.#send(claimed.notice).catch(onFault);
    this.#sending.add(sending);
    const ended = (): void => {
      lane.ended(claimed, clock.monotonicMs() - startMs);
      this.#sending.delete(sending);
    };
    sending.then(ended, ended);
  }

  async #send(notice: Notice): Promise<void> {
    const { sql, senders, random, onGivenUp } = this.#parts;
    const result = notice.channel === 'mail' ? await senders.mail(notice) : await senders.webhook(notice);
    const isGivenUp = await recordResult(sql, notice, result, random());
    if (isGivenUp && result.kind !== 'sent') onGivenUp(notice, result.reason);
  }
}
