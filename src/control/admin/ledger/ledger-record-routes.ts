import { amountFields } from '../../../domain/money.ts';
import { type ListedCorrection, listCorrections } from '../../ledger/posting-history.ts';
import { findRunningProof, listProofs, type RunningProof, type StoredProof } from '../../ledger/proof-history.ts';
import { listSeals, type Seal } from '../../ledger/seal-list.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import type { Pacer } from '../../../lib/pacer.ts';
import { ok } from '../answers.ts';
import * as contract from './ledger-record-contract.ts';
import { differenceJson, postingJson } from './ledger-representations.ts';
import { pageJson, pageOf, pageQuery, requestedPage } from '../pages.ts';
import { type AdminApp, operatorRoute } from '../route-access.ts';

const tags = ['Ledger'];
const PROOFS = 30;

const proofs = operatorRoute({
  operationId: 'listProofs',
  method: 'get',
  path: '/ledger/proofs',
  tags,
  summary: 'List the last proofs of the ledger, and show the progress of the one that is being made',
  request: { query: contract.proofQuery },
  responses: ok(contract.proofs, 'Proofs, newest first.'),
});

const seals = operatorRoute({
  operationId: 'listSeals',
  method: 'get',
  path: '/ledger/seals',
  tags,
  summary: 'List the weeks whose receipts are sealed',
  request: { query: pageQuery },
  responses: ok(pageOf(contract.seal), 'Seals, that of the newest receipts first.'),
});

const corrections = operatorRoute({
  operationId: 'listCorrections',
  method: 'get',
  path: '/ledger/corrections',
  tags,
  summary: 'List the corrections of receipts of all workspaces',
  request: { query: pageQuery },
  responses: ok(pageOf(contract.correctionPosting), 'Corrections, newest first.'),
});

interface LedgerRecordParts {
  readonly sql: ControlSql;
  readonly pacer: Pacer;
}

/** Adds the routes of what is on record of the whole ledger. */
export function addLedgerRecordRoutes(app: AdminApp, { sql, pacer }: LedgerRecordParts): void {
  app.openapi(proofs, async (c) => {
    const { limit = PROOFS } = c.req.valid('query');
    const [running, made] = [await findRunningProof(sql), await listProofs(sql, limit)];
    return c.json({ running: running && runningJson(running), data: made.map(proofJson) }, 200);
  });
  app.openapi(seals, async (c) => {
    const page = requestedPage(c.req.valid('query'));
    return c.json(pageJson(await pacer.slice(() => listSeals(sql, c.var.operator, page)), sealJson), 200);
  });
  app.openapi(corrections, async (c) => {
    const page = requestedPage(c.req.valid('query'));
    return c.json(pageJson(await pacer.slice(() => listCorrections(sql, c.var.operator, page)), correctionJson), 200);
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
