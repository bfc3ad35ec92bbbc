import { z } from '@hono/zod-openapi';
import { MOVED_TABLES } from '../../moves/moved-tables.ts';
import { MOVE_WAIT } from '../../operations/move-operations.ts';
import { id, timestamp } from '../contract-fields.ts';
import { shardParam } from '../cells/cell-contract.ts';

// The part of the admin API's contract about moves of workspaces to other cells.

export const moveStart = z
  .strictObject({
    to: shardParam,
    wait_seconds: z
      .int()
      .min(1)
      .max(MOVE_WAIT.max)
      .default(MOVE_WAIT.unlessGiven)
      .openapi({ description: 'How long running requests are waited for, while new ones are refused.' }),
  })
  .openapi('MoveStart');

export const move = z
  .object({
    to: z.string().openapi({ example: '01' }),
    state: z.enum(['copying', 'paused', 'moved', 'ended', 'returning', 'returned']).openapi({
      description:
        'paused: requests are refused for a moment. moved: it lives there, and is still to be opened. returned: it has stayed here.',
    }),
    rows: z.int().openapi({ description: 'How many rows were sent.' }),
    rows_left: z.int().openapi({ description: 'How many are still to be sent, of those that are known so far.' }),
    problem: z.string().nullable().openapi({ description: 'Why it went back, or what it waits for.' }),
    begun_at: timestamp,
    ended_at: timestamp.nullable(),
    pause_ms: z.int().nullable().openapi({ description: 'How long its requests were refused, once it has moved.' }),
  })
  .openapi('Move');

const text = z.string().max(2_000);

export const arrivalStart = z
  .strictObject({
    move: id,
    shard: shardParam,
    name: text,
    digest: z.string().max(64),
    first_receipt: id.nullable(),
    prices: z
      .array(
        z.strictObject({ id: z.string().regex(/^[1-8]?\d{1,18}$/), model: text, version: z.int(), terms: z.string() }),
      )
      .max(1_000),
    models: z.array(text).max(1_000),
    people: z.array(z.strictObject({ id, email: text })).max(1_000),
  })
  .openapi('ArrivalStart');

export const arrivalProblems = z
  .object({ problems: z.array(z.string()).openapi({ description: 'Why it can not arrive; none: it can.' }) })
  .openapi('ArrivalProblems');

/** A slice of rows is bounded by its bytes; one of keys has more of them. */
const ROWS_MAX = 2_000;
const KEYS_MAX = 12_000;
const tableName = z.enum(MOVED_TABLES.map(({ table }) => table));
const rowTexts = z.array(z.string()).max(ROWS_MAX).openapi({ description: 'Each as the text of a JSON object.' });

export const arrivingRows = z
  .strictObject({
    move: id,
    tables: z.array(tableName).max(ROWS_MAX),
    keys: z.array(z.string()).max(ROWS_MAX),
    rows: rowTexts,
  })
  .openapi('ArrivingRows');

const place = z.array(z.string()).max(4).nullable();

export const landingRows = z
  .strictObject({
    move: id,
    table: z.enum(MOVED_TABLES.filter(({ sends }) => sends === 'slices').map(({ table }) => table)),
    rows: rowTexts,
    kept: z
      .strictObject({ keys: z.array(z.string()).max(KEYS_MAX), after: place, to: place })
      .optional()
      .openapi({ description: 'Rows between these places that have none of the keys are deleted.' }),
  })
  .openapi('LandingRows');

export const arrivalName = z.strictObject({ move: id }).openapi('ArrivalName');

const figures = z.record(z.string(), z.string().nullable());

export const arrivalFigures = z
  .object({
    figures: figures.openapi({ description: 'What is counted of the workspace, as digits.' }),
    counts: z
      .record(z.string(), z.int())
      .openapi({ description: 'Rows of what ends in the course of things, by table.' }),
  })
  .openapi('ArrivalFigures');

export const arrivalOpening = z.strictObject({ move: id, figures }).openapi('ArrivalOpening');

export const arrivalDone = z.object({ workspace: id }).openapi('ArrivalDone');

export type MoveJson = z.infer<typeof move>;
