import { z } from '@hono/zod-openapi';
import { amount, id, queryNumber, timestamp } from '../contract-fields.ts';
import { ledgerReport, posting } from './ledger-contract.ts';

// The part of the admin API's contract about what is on record of the whole ledger: proofs, seals and corrections.

const PROOFS_MAX = 200;

export const proofQuery = z.strictObject({
  limit: queryNumber(1, PROOFS_MAX).optional().openapi({ description: 'How many of the last proofs. Default: 30.' }),
});

const proof = z
  .object({
    id: z.string(),
    nightly: z.boolean().openapi({ description: 'Made by the schedule of nights, rather than on request.' }),
    started_at: timestamp,
    finished_at: timestamp,
    difference_count: z.int(),
    differences: ledgerReport.shape.differences.openapi({ description: 'The first hundred.' }),
  })
  .openapi('Proof');

export const proofs = z
  .object({
    running: z
      .object({
        started_at: timestamp,
        receipts: z.int().openapi({ description: 'Receipts that were added up until now.' }),
        receipts_expected: z.int().openapi({ description: 'About how many there are.' }),
      })
      .nullable()
      .openapi({ description: 'The proof that a process of the instance makes now; null if none does.' }),
    data: z.array(proof),
  })
  .openapi('Proofs');

export const seal = z
  .object({
    name: z.string().openapi({ description: 'The partition of the receipts.' }),
    from: timestamp,
    to: timestamp,
    receipts: z.int(),
    ...amount('charges'),
    ...amount('write_offs'),
    digest: z.string().openapi({
      description:
        'SHA-256 of the stored totals as they are now. It never changes; note it elsewhere to notice if it does.',
    }),
    sealed_at: timestamp,
    exported_at: timestamp
      .nullable()
      .openapi({ description: 'When `ledger.export_to` got its receipts; null: it has not.' }),
    export_file: z.string().nullable(),
    export_sha256: z.string().nullable().openapi({ description: 'SHA-256 of that file.' }),
    dropped_at: timestamp.nullable().openapi({ description: 'Null while its receipts are kept.' }),
  })
  .openapi('Seal');

export const correctionPosting = posting
  .extend({ workspace_id: id, workspace_name: z.string() })
  .openapi('CorrectionPosting');

export type ProofsJson = z.infer<typeof proofs>;
export type ProofJson = z.infer<typeof proof>;
export type SealJson = z.infer<typeof seal>;
export type CorrectionPostingJson = z.infer<typeof correctionPosting>;
