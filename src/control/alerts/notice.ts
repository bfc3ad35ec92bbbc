import type { ReadValue } from '../encryption/encrypted-column.ts';
import type { Place } from '../encryption/envelope.ts';

/** What the outbox sends, as a sender gets it. */
interface NoticeBasics {
  readonly workspaceId: string;
  /** The same at each attempt: the receiver's means to recognise a repetition. */
  readonly id: string;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  readonly giveUpAt: Date;
}

export interface MailNotice extends NoticeBasics {
  readonly channel: 'mail';
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
}

/** A secret of an endpoint, as it lies in the database. There may be none. */
export interface StoredSecret extends ReadValue {
  readonly place: Place;
}

export interface WebhookNotice extends NoticeBasics {
  readonly channel: 'webhook';
  readonly url: string;
  readonly body: string;
  /** The endpoint's secret, and the previous one while it still signs too. */
  readonly secrets: readonly StoredSecret[];
}

/** A webhook with the secrets that sign it. */
export interface SignedNotice extends Omit<WebhookNotice, 'secrets'> {
  readonly secrets: readonly string[];
}

export type Notice = MailNotice | WebhookNotice;

/** The result of an attempt. Reasons are a line for people, and name no secret. */
export type SendResult =
  | { readonly kind: 'sent'; readonly status: number | null }
  /** It may succeed later, at the earliest after so long. */
  | { readonly kind: 'failed'; readonly reason: string; readonly status: number | null; readonly retryAfterMs: number }
  /** It will never succeed. */
  | { readonly kind: 'rejected'; readonly reason: string; readonly status: number | null };
