import { randomUUID } from 'node:crypto';
import type { Principal } from '../../../domain/principal.ts';
import { toPrincipals } from '../../../gate/principals/principals.ts';
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
import { settleArguments } from '../../database/settle-arguments.ts';

const AMPLE = 10n ** 15n;
const LIMITS = { requestsPerMinute: 1_000_000_000, tokensPerMinute: 1_000_000_000_000, concurrency: 1_000_000 };
const PARTS = 1e15;

/** The only caller of the warm-up, made as callers are that the database knows. It knows none of these ids. */
const [CALLER] = toPrincipals(
  [
    {
      ordinal: 0,
      workspace_id: randomUUID(),
      project_id: randomUUID(),
      key_id: randomUUID(),
      project_models: null,
      key_models: null,
      expires_ms: null,
      requests_per_minute: LIMITS.requestsPerMinute,
      tokens_per_minute: LIMITS.tokensPerMinute,
      concurrency: LIMITS.concurrency,
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
    },
  ],
  1,
);

/** Purses with ample money in memory. Receipts become a statement's parameters, which are dropped. */
export class WarmStore implements PurseStore, PermitStore, KeyStore {
  readonly #purses = new Map<string, bigint>();

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
    return Promise.resolve(secrets.map(() => CALLER ?? null));
  }

  async findAndDraw(_epochId: bigint, secrets: readonly Buffer[]): Promise<LookedUp> {
    return { principals: await this.find(secrets), leases: new Map(), permits: new Map() };
  }

  #drawn({ purse, keep, ahead, needs, sequence }: DrawRequest): DrawReply {
    const purseId = this.#purses.get(purse.kind) ?? BigInt(this.#purses.size + 1);
    this.#purses.set(purse.kind, purseId);
    const granted = needs.reduce((sum, need) => sum + need, keep + ahead);
    const limit = AMPLE;
    return { purseId, limit, spentByOthers: 0n, available: AMPLE, granted, open: false, mode: 'wet', sequence };
  }
}
