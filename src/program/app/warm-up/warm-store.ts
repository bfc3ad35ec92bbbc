import { randomUUID } from 'node:crypto';
import type { Principal } from '../../../domain/principal.ts';
import { type PrincipalRow, toPrincipals } from '../../../gate/principals/principals.ts';
import type { Receipt } from '../../../domain/receipt.ts';
import type {
  DrawReply,
  DrawRequest,
  HeartbeatReply,
  KeyStore,
  LookedUp,
  PermitDraw,
  PermitReply,
  PermitStore,
  PurseStore,
} from '../../../gate/purses/ports/database.ts';
import { toDrawReply } from '../../database/drawn-leases.ts';
import { settleArguments } from '../../database/settle-arguments.ts';

const AMPLE = '1000000000000000';
const LIMITS = { requestsPerMinute: 1_000_000_000, tokensPerMinute: 1_000_000_000_000, concurrency: 1_000_000 };
const PARTS = 1e15;

/** Half of the keys have all limits, the others none, as callers differ. The database knows none of these ids. */
function callerRow(ordinal: number, hasLimits: boolean): PrincipalRow {
  return {
    ordinal,
    workspace_id: randomUUID(),
    project_id: randomUUID(),
    key_id: randomUUID(),
    project_models: hasLimits ? ['*'] : null,
    key_models: hasLimits ? ['*'] : null,
    expires_ms: null,
    requests_per_minute: hasLimits ? LIMITS.requestsPerMinute : null,
    tokens_per_minute: hasLimits ? LIMITS.tokensPerMinute : null,
    concurrency: hasLimits ? LIMITS.concurrency : null,
    budget_period: 'month',
    member_limit_id: null,
    model_when_spent: null,
    end_user_period: null,
    limits_sessions: false,
    reports_cost: false,
    suspension_reason: null,
    is_paused: false,
    workspace_networks: null,
    key_networks: null,
    moved_to: null,
  };
}

/** Purses with ample money in memory. Receipts become a statement's parameters, which are dropped. */
export class WarmStore implements PurseStore, PermitStore, KeyStore {
  readonly #purses = new Map<string, bigint>();
  #keys = 0;

  formerEpochs(): Promise<readonly bigint[]> {
    return Promise.resolve([]);
  }

  beginEpoch(): Promise<bigint> {
    return Promise.resolve(1n);
  }

  timeline(): Promise<string> {
    return Promise.resolve('1');
  }

  heartbeat(): Promise<HeartbeatReply> {
    return Promise.resolve({ databaseNowMs: Date.now(), timeline: '1', peers: [] });
  }

  fence(): Promise<void> {
    return Promise.resolve();
  }

  draw(_epochId: bigint, requests: readonly DrawRequest[]): Promise<readonly DrawReply[]> {
    return Promise.resolve(requests.map((request) => this.#drawn(request)));
  }

  settle(_epochId: bigint, receipts: readonly Receipt[]): Promise<void> {
    settleArguments(receipts);
    return Promise.resolve();
  }

  settleLate(): Promise<void> {
    return Promise.resolve();
  }

  release(_epochId: bigint, leases: readonly unknown[]): Promise<readonly true[]> {
    return Promise.resolve(leases.map(() => true));
  }

  quarantine(): Promise<void> {
    return Promise.resolve();
  }

  drawPermits(_epochId: bigint, draws: readonly PermitDraw[]): Promise<readonly PermitReply[]> {
    const left = { requestParts: PARTS, tokenParts: PARTS, slots: LIMITS.concurrency };
    return Promise.resolve(
      draws.map(({ target, needs }) => ({
        limits: LIMITS,
        stock: target,
        shortages: needs.map(() => null),
        left,
        share: 1,
      })),
    );
  }

  find(secrets: readonly Buffer[]): Promise<readonly (Principal | null)[]> {
    const rows = secrets.map((_, ordinal) => callerRow(ordinal, this.#keys++ % 2 === 0));
    return Promise.resolve(toPrincipals(rows, secrets.length));
  }

  async findAndDraw(_epochId: bigint, secrets: readonly Buffer[]): Promise<LookedUp> {
    return { principals: await this.find(secrets), leases: new Map(), permits: new Map() };
  }

  #drawn({ purse, keep, ahead, needs, sequence }: DrawRequest): DrawReply {
    const purseId = this.#purses.get(purse.subjectId) ?? BigInt(this.#purses.size + 1);
    this.#purses.set(purse.subjectId, purseId);
    const granted = needs.reduce((sum, need) => sum + need, keep + ahead);
    return toDrawReply({
      purse_id: String(purseId),
      limit_nano_usd: AMPLE,
      spent_by_others_nano_usd: '0',
      available_nano_usd: AMPLE,
      granted_nano_usd: String(granted),
      open: false,
      mode: 'wet',
      sequence: String(sequence),
    });
  }
}
