import type { Cancel, Clock } from '../lib/clock.ts';
import type { ControlSql } from '../lib/control-sql.ts';
import type { MailNotice, Notice, SendResult, WebhookNotice } from './notice.ts';
import { claimNotices, recordResult } from './outbox-store.ts';

/** How much is sent at a time. */
const SENDS_MAX = 8;
const INTERVAL_MS = 2_000;

/** The means of sending. They never throw, and take less than two minutes. */
export interface NoticeSenders {
  mail(notice: MailNotice): Promise<SendResult>;
  webhook(notice: WebhookNotice): Promise<SendResult>;
}

interface OutboxParts {
  readonly sql: ControlSql;
  readonly clock: Pick<Clock, 'after'>;
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
  readonly #sending = new Map<Promise<void>, string>();
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
    const { sql, onFault } = this.#parts;
    try {
      while (!this.#stopped && this.#sending.size < SENDS_MAX) {
        const notices = await claimNotices(sql, SENDS_MAX - this.#sending.size, [...this.#sending.values()]);
        if (notices.length === 0) return;
        for (const notice of notices) this.#begin(notice);
      }
    } catch (fault) {
      onFault(fault);
    }
  }

  /** Resolves once nothing is being sent. */
  async idle(): Promise<void> {
    while (this.#sending.size > 0) await Promise.all(this.#sending.keys());
  }

  /** Claims no more, and waits for what is being sent. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#looking;
    await this.idle();
  }

  #begin(notice: Notice): void {
    const sending = this.#send(notice).catch(this.#parts.onFault);
    this.#sending.set(sending, notice.workspaceId);
    sending.finally(() => this.#sending.delete(sending)).catch(() => undefined);
  }

  async #send(notice: Notice): Promise<void> {
    const { sql, senders, random, onGivenUp } = this.#parts;
    const result = notice.channel === 'mail' ? await senders.mail(notice) : await senders.webhook(notice);
    const isGivenUp = await recordResult(sql, notice, result, random());
    if (isGivenUp && result.kind !== 'sent') onGivenUp(notice, result.reason);
  }
}
