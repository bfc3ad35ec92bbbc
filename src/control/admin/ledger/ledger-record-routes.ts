import { type ListedCorrection, listCorrections } from '../../ledger/posting-history.ts';
import { findRunningProof, listProofs, type RunningProof, type StoredProof } from '../../ledger/proof-history.ts';
import { listSeals, type Seal } from '../../ledger/seal-list.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import type { Pacer } from '../../../lib/pacer.ts';
import { recordJson } from '../record-json.ts';
import * as contract from './ledger-record-contract.ts';
import { differenceJson, postingJson } from './ledger-representations.ts';
import { pagesOf, requestedPage } from '../pages.ts';
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
  serve(app, 'listSeals', pagesOf(sealJson), async ({ operator, query }) => {
    const page = requestedPage(query);
    return await pacer.slice(() => listSeals(sql, operator, page));
  });
  serve(app, 'listCorrections', pagesOf(correctionJson), async ({ operator, query }) => {
    const page = requestedPage(query);
    return await pacer.slice(() => listCorrections(sql, operator, page));
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

function sealJson(seal: Seal): contract.SealJson {
  return recordJson(contract.seal, { ...seal, receipts: Number(seal.receipts) });
}

function correctionJson({ workspaceId, workspaceName, ...posting }: ListedCorrection): contract.CorrectionPostingJson {
  return { ...postingJson(posting), workspace_id: workspaceId, workspace_name: workspaceName };
}
