import * as z from 'zod';
import { days, duration, plainText, section, wholeNumber, yesOrNo } from './file-fields.ts';

// How long records are kept, and backups by a schedule.

const FOLDER_RIGHT = 'write the path of a folder, such as /var/lib/faregate/exports';
const SCHEDULE_RIGHT = 'write a time of day in UTC such as "02:30", or an interval such as "6h"';
const RECIPIENT_RIGHT = 'write what "faregate backup new-identity" prints, such as age1…';
const TIME_OF_DAY = /^([01]\d|2[0-3]):([0-5]\d)$/;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** As `ledger seal` allows: by then every window with bounds is over, and every journal was replayed. */
const RECEIPT_DAYS_MIN = 35;

export const ledger = section(
  {
    keep: days(RECEIPT_DAYS_MIN, 36_500)
      .optional()
      .describe('How long receipts are kept, until their weeks are sealed and dropped. Left out: for good.'),
    export_to: plainText(FOLDER_RIGHT)
      .optional()
      .describe('The folder to which receipts are exported before they are dropped; none: they are not.'),
  },
  'write a mapping such as { keep: 400d, export_to: /var/lib/faregate/exports }',
);

export const audit = section(
  {
    keep: days(30, 36_500).optional().describe('How long audit events are kept. Left out: for good.'),
  },
  'write a mapping such as { keep: 730d }',
);

export const refusals = section(
  {
    keep: days(1, 365).prefault('30d').describe('How long refused requests are kept.'),
  },
  'write a mapping such as { keep: 30d }',
);

/** When work is due: every so long, and how long after midnight in UTC. Milliseconds. */
export interface Schedule {
  readonly everyMs: number;
  readonly afterMs: number;
}

const interval = duration(15 * MINUTE_MS, 7 * DAY_MS).transform((everyMs): Schedule => ({ everyMs, afterMs: 0 }));

const timeOfDay = z
  .string({ error: SCHEDULE_RIGHT })
  .regex(TIME_OF_DAY, { error: SCHEDULE_RIGHT })
  .transform((text): Schedule => {
    const [hours = 0, minutes = 0] = text.split(':').map(Number);
    return { everyMs: DAY_MS, afterMs: (hours * 60 + minutes) * MINUTE_MS };
  });

export const backup = section(
  {
    schedule: z
      .union([timeOfDay, interval], { error: SCHEDULE_RIGHT })
      .optional()
      .describe('When backups are written: a time of day in UTC, or an interval. Left out: on request alone.'),
    folder: plainText(FOLDER_RIGHT).optional().describe('The folder to which they are written.'),
    recipients: z
      .array(z.string({ error: RECIPIENT_RIGHT }).regex(/^age1[0-9a-z]{20,4000}$/, { error: RECIPIENT_RIGHT }), {
        error: RECIPIENT_RIGHT,
      })
      .max(20, { error: 'write 20 recipients at most' })
      .prefault([])
      .describe('For whom they are encrypted. Left out: they are not.'),
    keep: wholeNumber(1, 1_000).prefault(7).describe('How many of them are kept.'),
    verify: yesOrNo().prefault(false).describe('Whether each is restored on trial, and its ledger proven.'),
  },
  'write a mapping such as { schedule: "02:30", folder: /var/backups/faregate }',
);
