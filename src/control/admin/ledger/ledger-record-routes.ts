import { amountFields } from '../../../domain/money.ts';
import { type ListedCorrection, listCorrections } from '../../ledger/posting-history.ts';
import { findRunningProof, listProofs, type RunningProof, type StoredProof } from '../../ledger/proof-history.ts';
import { listSeals, type Seal } from '../../ledger/seal-list.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import type { Pacer } from '../../../lib/pacer.ts';
import type * as contract from './ledger-record-contract.ts';
import { differenceJson, postingJson } from './ledger-representations.ts';
import { pageJson, requestedPage } from '../pages.ts';
import type { AdminApp } from '../route-access.ts';
import { serve } from '../serve.ts';

const PROOFS = 30;

interface LedgerRecordParts {
  readonly sql: ControlSql;
  readonly pacer: Pacer;
}

/** Adds the routes of what is on record of the whole ledger. */
export function addLedgerRecordRoutes(app: AdminApp, { sql, pacer }: LedgerRecordParts): void {
  serve(app, 'listProofs', async ({ query }) => {
    const { limit = PROOFS } = query;
    const [running, made] = [await findRunningProof(sql), await listProofs(sql, limit)];
    return { running: running && runningJson(running), data: made.map(proofJson) };
  });
  serve(app, 'listSeals', async ({ operator, query }) => {
    const page = requestedPage(query);
    return pageJson(await pacer.slice(() => listSeals(sql, operator, page)), sealJson);
  });
  serve(app, 'listCorrections', async ({ operator, query }) => {
    const page = requestedPage(query);
    return pageJson(await pacer.slice(() => listCorrections(sql, operator, page)), correctionJson);
  });
}

function runningJson({ startedAt, receipts, expected }: RunningProof): NonNullable<contract.ProofsJson['running']> {
  return {
    started_at: startedAt.toISOString(),
    receipts: Number(receipts),
    // Statistics may lag behind, and nothing is more than all of it.
    receipts_expected: Number(expected > receipts ? expected : receipts),
  };
}

function proofJson({ id, isNightly, startedAt, finishedAt, ...found }: StoredProof): contract.ProofJson {
  return {
    id: id.toString(),
    nightly: isNightly,
    started_at: startedAt.toISOString(),
    finished_at: finishedAt.toISOString(),
    difference_count: Number(found.differenceCount),
    differences: found.differences.map(differenceJson),
  };
}

function sealJson({ name, from, to, receipts, charges, writeOffs, digest, ...times }: Seal): contract.SealJson {
  return {
    name,
    from: from.toISOString(),
    to: to.toISOString(),
    receipts: Number(receipts),
    ...amountFields('charges', charges),
    ...amountFields('write_offs', writeOffs),
    digest,
    sealed_at: times.sealedAt.toISOString(),
    dropped_at: times.droppedAt?.toISOString() ?? null,
  };
}

function correctionJson({ workspaceId, workspaceName, ...posting }: ListedCorrection): contract.CorrectionPostingJson {
  return { ...postingJson(posting), workspace_id: workspaceId, workspace_name: workspaceName };
}
