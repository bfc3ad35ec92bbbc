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

export const listedCell = cell
  .extend({
    problem: z
      .string()
      .nullable()
      .openapi({ description: 'Why it does not answer as it should, or not in time; null if it does.' }),
    program: z.string().nullable().openapi({ description: 'The version that it runs; null if it does not say.' }),
  })
  .openapi('ListedCell');

export const cells = z.object({ data: z.array(listedCell) }).openapi('Cells');

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
export type ListedCellJson = z.infer<typeof listedCell>;
