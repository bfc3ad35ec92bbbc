// What workspaces may have delivered to sinks, and what is taken out of it.

/**
 * Kinds of records. `content`: prompts and answers of requests. `receipts` and `audit` are read from the database until they
 * are delivered; `content` and `refusals` wait in memory, and may be lost.
 */
export const SINK_RECORDS = ['content', 'receipts', 'refusals', 'audit'] as const;

export type SinkRecord = (typeof SINK_RECORDS)[number];

/** What is taken out of content. `texts`: everything that people or models have written. */
export const REDACTIONS = ['texts', 'mail_addresses', 'phone_numbers', 'card_numbers', 'keys'] as const;

export type Redaction = (typeof REDACTIONS)[number];

/** The kinds of places that sinks are. */
export const SINK_KINDS = ['file', 's3', 'otlp'] as const;

export type SinkKind = (typeof SINK_KINDS)[number];

/** Why records are dropped instead of delivered. `stopped`: the program ended before. */
export const LOSSES = ['queue_full', 'not_delivered', 'unreadable', 'stopped'] as const;

export type Loss = (typeof LOSSES)[number];

/** What becomes of records that wait. `switched_off`: their workspace has ended its delivery by then. */
export const SINK_FATES = ['delivered', 'switched_off', ...LOSSES] as const;

export type SinkFate = (typeof SINK_FATES)[number];
