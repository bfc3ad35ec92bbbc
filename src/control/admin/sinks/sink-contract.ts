import { z } from '@hono/zod-openapi';
import { REDACTIONS, SINK_KINDS, SINK_RECORDS } from '../../../domain/sinks.ts';
import { choice, timestamp, wholeNumber } from '../contract-fields.ts';

// The part of the contract about sinks.

const records = z.array(choice(SINK_RECORDS)).max(SINK_RECORDS.length).openapi({
  description: '`content`: prompts and answers. Empty: nothing is delivered.',
});
const samplePercent = wholeNumber(1, 100).openapi({
  description: 'Of 100 requests, how many have their prompts and answers delivered. Other records are never sampled.',
});
const redact = z.array(choice(REDACTIONS)).max(REDACTIONS.length).openapi({
  description:
    'What is taken out of prompts and answers. `texts`: all that people or models have written. Images and audio always are.',
});

export const workspaceSink = z
  .object({
    name: z.string().openapi({ description: 'Its name in the config file of the instance.' }),
    kind: z.enum(SINK_KINDS),
    records,
    sample_percent: z.int(),
    redact,
    lost_records: z.int().openapi({
      description: 'Prompts and answers, and refusals, that were dropped instead of delivered.',
    }),
    last_lost_at: timestamp.nullable(),
    version: z.int(),
    changed_at: timestamp.nullable().openapi({ description: 'Null: nothing was ever set.' }),
  })
  .openapi('Sink');

export const workspaceSinks = z.object({ data: z.array(workspaceSink) }).openapi('Sinks');

export const workspaceSinkUpdate = z
  .strictObject({
    records: records.optional(),
    sample_percent: samplePercent.optional(),
    redact: redact.optional(),
  })
  .openapi('SinkUpdate');

export type WorkspaceSinkJson = z.infer<typeof workspaceSink>;
export type WorkspaceSinkUpdate = z.infer<typeof workspaceSinkUpdate>;
