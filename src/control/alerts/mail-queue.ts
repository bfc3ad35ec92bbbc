import { assert } from '../../lib/assert.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { isMailAddress } from '../../domain/mail-address.ts';
import { INSTANCE_ID } from './notice-owner.ts';
import { newId } from '../../lib/uuid7.ts';

const SUBJECT_MAX = 200;

/** A mail to one address. */
export interface OutgoingMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same as HTML, in which every value is escaped. */
  readonly html?: string;
  /** The caller's name for it: a repetition with it queues nothing. */
  readonly once: string;
  /** The workspace that lists the delivery; left out: the operator's list has it. */
  readonly workspaceId?: string;
  /** It holds a link or code for its recipient alone: its content is erased as soon as it is sent or given up. */
  readonly isSecret?: boolean;
  /** From when on it is not worth sending; left out: a day from now. */
  readonly giveUpAt?: Date;
}

/**
 * Puts a mail into the outbox, in the transaction of what it is about; it is sent, and tried again, once that is committed.
 * Asserts that the address is one: callers check what people enter. Without `mail` in the configuration it is given up.
 */
export async function queueMail(tx: SqlRunner, mail: OutgoingMail): Promise<void> {
  const { to, subject, text, html = null, once, workspaceId = INSTANCE_ID, isSecret = false, giveUpAt = null } = mail;
  assert(isMailAddress(to), 'a mail goes to one address');
  await tx.query(
    `insert into notices (workspace_id, id, once, channel, recipient, subject, body, html, is_secret, give_up_at)
     values ($1, $2, $3, 'mail', $4, $5, $6, $7, $8, coalesce($9, now() + interval '24 hours'))
     on conflict (workspace_id, once) where once is not null do nothing`,
    [workspaceId, newId(), once, to, headerText(subject), text, html, isSecret, giveUpAt],
  );
}

/** Text for one line of a header: control characters become spaces. */
function headerText(text: string): string {
  return text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, SUBJECT_MAX);
}
