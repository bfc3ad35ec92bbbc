import { z } from '@hono/zod-openapi';
import { timestamp } from '../contract-fields.ts';

// The part of the admin API's contract about other cells.

export const shardParam = z
  .string()
  .regex(/^[0-9A-Za-z]{2}$/, 'must be two letters or digits')
  .openapi({ description: 'The two characters in the keys of a cell.', example: '01' });

export const cell = z
  .object({
    shard: z.string().openapi({ example: '01' }),
    url: z.string().openapi({ example: 'https://one.gateway.example' }),
    version: z.int().openapi({ example: 1 }),
    added_at: timestamp,
  })
  .openapi('Cell');

export const cellFigures = z
  .object({
    shard: z.string().openapi({ example: '00' }),
    version: z.string().openapi({ description: 'Of its program.' }),
    workspaces: z.int().openapi({ description: 'Open ones that live there.' }),
    answers: z.int().openapi({ description: 'Of providers, in this hour and the last.' }),
    last_proof_at: timestamp.nullable().openapi({ description: 'When its last proof was finished; null: none was.' }),
    last_proof_differences: z.int().nullable(),
  })
  .openapi('CellFigures');

const problem = z
  .string()
  .nullable()
  .openapi({ description: 'Why it does not answer as it should, or not in time; null if it does.' });

export const listedCell = cell
  .extend({ problem, figures: cellFigures.nullable().openapi({ description: 'Null: it has not answered.' }) })
  .openapi('ListedCell');

export const cells = z.object({ own: cellFigures, data: z.array(listedCell) }).openapi('Cells');

const SEARCH_HELP = 'must be one of search and request_id';
export const cellSearch = z
  .strictObject({
    search: z.string().min(1).max(100).optional().openapi({ description: "A part of the workspaces' names." }),
    request_id: z.uuid().optional().openapi({ description: 'The `x-request-id` of a request.' }),
  })
  .refine(({ search, request_id: id }) => (search === undefined) !== (id === undefined), SEARCH_HELP);

const namedWorkspace = z.object({ id: z.string(), name: z.string() });

/** What a cell answers of workspaces that it has, though they may live in another one. */
export const namesFound = z.object({ data: z.array(namedWorkspace.extend({ moved_to: z.string().nullable() })) });

export const cellsFound = z
  .object({
    data: z.array(
      z.object({
        shard: z.string(),
        url: z.string(),
        problem,
        workspaces: z
          .array(namedWorkspace)
          .openapi({ description: 'Those that live there: the first ten of these names, or the one of the request.' }),
      }),
    ),
  })
  .openapi('CellsFound');

export const cellStoring = z
  .strictObject({
    url: z.string().max(2_000).openapi({ description: 'Where its instances are.' }),
    token: z
      .string()
      .regex(/^[\u0021-\u007e]{1,4096}$/, 'must be a token of visible characters without blanks')
      .openapi({ description: 'An operator token of that cell, which is encrypted and never shown.' }),
  })
  .openapi('CellStoring');

export type CellJson = z.infer<typeof cell>;
export type CellsJson = z.infer<typeof cells>;
export type ListedCellJson = z.infer<typeof listedCell>;
export type CellFiguresJson = z.infer<typeof cellFigures>;
export type CellsFoundJson = z.infer<typeof cellsFound>;
