import { randomUUID } from 'node:crypto';
import { revokeKey } from '../../src/control/accounts/key-changes.ts';
import { createKey, type CreatedKey, type Key } from '../../src/control/accounts/keys.ts';
import { createProject, type Project, updateProject } from '../../src/control/accounts/projects.ts';
import { createWorkspace, showWorkspace, type Workspace } from '../../src/control/accounts/workspaces.ts';
import { makeChange } from '../../src/control/audit/change.ts';
import { PostgresPurseStore } from '../../src/program/database/purse-store.ts';
import type { NanoUsd } from '../../src/domain/money.ts';
import type { Receipt, ServedPurse } from '../../src/domain/receipt.ts';
import { isRefusal, type Refusal } from '../../src/domain/refusals.ts';
import { NO_TOKENS } from '../../src/domain/usage.ts';
import { windowAt, type Period } from '../../src/domain/window.ts';
import { postCredit } from '../../src/control/ledger/postings.ts';
import { DatabaseUnavailable, type Sql } from '../../src/lib/sql.ts';
import type { BriefKind, DrawReply, DrawRequest, PurseKind, PurseName } from '../../src/gate/purses/ports/database.ts';
import type { KeySettings } from '../../src/control/resources/key-settings.ts';
import type { ProjectSettings } from '../../src/control/resources/project-settings.ts';
import { receiptWith } from './receipts.ts';
import { operatorScope, scopeOf } from './scopes.ts';

// Accounts as tests want them: a workspace with credit, a project and a key; and a process that spends their money
// through the purses' real store.

export interface Account {
  readonly workspace: Workspace;
  readonly project: Project;
  readonly key: CreatedKey;
}

export interface AccountOptions {
  readonly credit?: NanoUsd;
  readonly project?: Partial<ProjectSettings>;
  readonly key?: Partial<KeySettings>;
}

/** The value, where a refusal would be a test's own mistake. */
export function granted<Value>(value: Value | Refusal): Value {
  if (isRefusal(value)) throw new Error(`refused: ${value.message}`);
  return value;
}

/** Makes a workspace with a project and a key, under names that no other has. */
export async function openAccount(sql: Sql, options: AccountOptions = {}): Promise<Account> {
  const workspace = await openWorkspace(sql, `workspace ${randomUUID()}`);
  if (options.credit !== undefined) await grantCredit(sql, workspace.id, options.credit);
  const project = await openProject(sql, workspace, { name: `project ${randomUUID()}`, ...options.project });
  const key = await openKey(sql, project, options.key);
  return { workspace, project, key };
}

export async function openWorkspace(sql: Sql, name: string): Promise<Workspace> {
  return granted(await makeChange(sql, (tx) => createWorkspace(tx, operatorScope(), { name })));
}

export async function openProject(
  sql: Sql,
  { id }: { readonly id: string },
  settings: Partial<ProjectSettings> & { readonly name: string },
): Promise<Project> {
  return granted(await makeChange(sql, (tx) => createProject(tx, scopeOf(id), settings)));
}

export async function openKey(
  sql: Sql,
  { id, workspaceId }: Pick<Project, 'id' | 'workspaceId'>,
  settings: Partial<KeySettings> = {},
): Promise<CreatedKey> {
  return granted(await makeChange(sql, (tx) => createKey(tx, scopeOf(workspaceId), id, { name: 'key', ...settings })));
}

export async function changeProject(
  sql: Sql,
  { id: projectId, workspaceId }: Pick<Project, 'id' | 'workspaceId'>,
  change: Partial<ProjectSettings>,
): Promise<Project> {
  const target = { projectId, version: null, change };
  return granted(await makeChange(sql, (tx) => updateProject(tx, scopeOf(workspaceId), target)));
}

export async function endKey(sql: Sql, { id, workspaceId }: Pick<Key, 'id' | 'workspaceId'>): Promise<Key> {
  return granted(await makeChange(sql, (tx) => revokeKey(tx, scopeOf(workspaceId), id)));
}

/** The workspace as it is now. */
export async function workspaceNow(sql: Sql, workspaceId: string): Promise<Workspace> {
  return granted(await showWorkspace(sql, scopeOf(workspaceId)));
}

/** Gives the keys a maker, with this limit over all their keys; answers with the limit's id. */
export async function limitMaker(
  sql: Sql,
  keys: Pick<Key, 'id' | 'workspaceId'> | readonly Pick<Key, 'id' | 'workspaceId'>[],
  limit: NanoUsd | null,
  userId: string = randomUUID(),
): Promise<string> {
  const all = [keys].flat();
  for (const { id } of all) await sql.query('update keys set created_by = $2 where id = $1', [id, userId]);
  await sql.query('select set_member_limit($1, $2, $3)', [all[0]?.workspaceId ?? null, userId, limit]);
  const [row] = await sql.query<{ id: string }>('select id from member_limits where user_id = $1', [userId]);
  if (row === undefined) throw new Error('a limit that was set is there');
  return row.id;
}

/** Posts a grant. */
export async function grantCredit(sql: Sql, workspaceId: string, amount: NanoUsd): Promise<void> {
  granted(await postCredit(sql, scopeOf(workspaceId), { kind: 'grant', amount, reason: 'a test' }));
}

/** Does it again as long as others are in the way. */
export async function onceFree<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (fault) {
      if (!(fault instanceof DatabaseUnavailable) || fault.reason !== 'contended') throw fault;
    }
  }
}

/** Draws, again and again where others have the rows, until all is drawn. */
export async function drawAll(
  store: PostgresPurseStore,
  epochId: bigint,
  requests: readonly DrawRequest[],
): Promise<readonly DrawReply[]> {
  for (;;) {
    const replies = await store.draw(epochId, requests);
    const drawn = replies.filter((reply) => reply !== null);
    if (drawn.length === requests.length) return drawn;
  }
}

interface Lease {
  purseId: bigint;
  charged: NanoUsd;
  sequence: bigint;
}

/** One process's epoch, which draws just what each request needs and settles it at once. */
export class Spender {
  readonly #store: PostgresPurseStore;
  readonly #epoch: bigint;
  readonly #leases = new Map<string, Lease>();

  private constructor(store: PostgresPurseStore, epoch: bigint) {
    this.#store = store;
    this.#epoch = epoch;
  }

  static async begin(sql: Sql): Promise<Spender> {
    const store = new PostgresPurseStore(sql);
    return new Spender(store, await store.beginEpoch(randomUUID(), 'test', 30_000));
  }

  /** Makes one request that holds and charges these amounts, and answers with its receipt. */
  async spend(
    { workspace, project, key }: Account,
    amounts: {
      hold: NanoUsd;
      charge: NanoUsd;
      period?: Period;
      memberLimitId?: string;
      endUserId?: string;
      sessionId?: string;
    },
    details: Partial<Receipt> = {},
  ): Promise<Receipt> {
    const nowMs = Date.now();
    const draw = (kind: PurseKind, subjectId: string, period: Period): Promise<Lease> => {
      const { startMs: windowStartMs, endMs: windowEndMs } = windowAt(period, nowMs);
      const name = { workspaceId: workspace.id, kind, subjectId, period, windowStartMs, windowEndMs };
      return this.#draw({ ...name, projectId: project.id }, amounts.hold);
    };
    const served = async (kind: BriefKind, subjectId: string | undefined): Promise<ServedPurse[]> => {
      if (subjectId === undefined) return [];
      const lease = await draw(kind, subjectId, 'month');
      leases.push(lease);
      return [{ purseId: lease.purseId, subjectId, window: windowAt('month', nowMs) }];
    };
    const leases = [
      await draw('credit', workspace.id, 'never'),
      await draw('project', project.id, amounts.period ?? project.budgetPeriod),
      await draw('key', key.id, 'month'),
      ...(amounts.memberLimitId === undefined ? [] : [await draw('member', amounts.memberLimitId, 'month')]),
    ];
    const [creditPurseId, projectPurseId, keyPurseId, memberPurseId] = leases.map(({ purseId }) => purseId) as [
      bigint,
      bigint,
      bigint,
      bigint?,
    ];
    const [endUserPurse] = await served('end_user', amounts.endUserId);
    const [sessionPurse] = await served('session', amounts.sessionId);
    const receipt = receiptWith({
      ...(endUserPurse && { endUserPurse }),
      ...(sessionPurse && { sessionPurse }),
      workspaceId: workspace.id,
      projectId: project.id,
      keyId: key.id,
      creditPurseId,
      projectPurseId,
      keyPurseId,
      ...(memberPurseId !== undefined && { memberPurseId }),
      projectWindow: windowAt(amounts.period ?? project.budgetPeriod, nowMs),
      keyWindow: windowAt('month', nowMs),
      charge: amounts.charge,
      hold: amounts.hold,
      usage: { tokens: { ...NO_TOKENS, input: 7, output: 11 }, certainty: 'exact' },
      admittedAtMs: nowMs,
      durationMs: 12,
      attempts: [{ provider: 'local', upstreamModel: 'qwen3', status: 200, durationMs: 10, fault: null }],
      ...details,
    });
    await this.#store.settle(this.#epoch, [receipt], new Map());
    for (const lease of leases) lease.charged += receipt.charge;
    return receipt;
  }

  /** Sends receipts of which some were settled before. */
  async repeat(receipts: readonly Receipt[]): Promise<void> {
    await this.#store.settle(this.#epoch, receipts, new Map());
  }

  /** Sends a heartbeat that says of each lease that it holds this much; of none if that is nothing. */
  async say({ held }: { readonly held: NanoUsd }): Promise<void> {
    const leases = held === 0n ? [] : [...this.#leases.values()];
    await this.#store.heartbeat(this.#epoch, new Map(leases.map(({ purseId, charged }) => [purseId, held + charged])));
  }

  /** Gives all leases back. */
  async end(): Promise<void> {
    await this.#store.fence(this.#epoch);
  }

  async #draw(purse: PurseName, need: NanoUsd): Promise<Lease> {
    const name = `${purse.kind} ${purse.subjectId} ${purse.period} ${purse.windowStartMs}`;
    const lease = this.#leases.get(name) ?? { purseId: 0n, charged: 0n, sequence: 0n };
    this.#leases.set(name, lease);
    lease.sequence += 1n;
    const { sequence, charged: keep } = lease;
    const request = { purse, sequence, keep, slack: 0n, needs: [need], ahead: 0n };
    const [reply] = await drawAll(this.#store, this.#epoch, [request]);
    if (reply === undefined || (reply.limit !== null && reply.granted < keep + need)) {
      throw new Error(`the ${purse.kind} purse can't cover ${need}`);
    }
    lease.purseId = reply.purseId;
    return lease;
  }
}
