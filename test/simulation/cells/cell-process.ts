import type { Principal } from '../../../src/domain/principal.ts';
import { type Refusal, refuse } from '../../../src/domain/refusals.ts';
import { authenticate } from '../../../src/gate/gateway/authenticate.ts';
import { type Caller, FORWARDED_HEADER } from '../../../src/gate/gateway/caller.ts';
import { endUnserved } from '../../../src/gate/gateway/forward.ts';
import type { ForwardedRequest, ForwardFailure } from '../../../src/gate/gateway/forwarder.ts';
import type { GatewayDeps } from '../../../src/gate/gateway/gateway-deps.ts';
import type { Change, ChangeListener } from '../../../src/gate/principals/changes.ts';
import { KnownCells } from '../../../src/gate/principals/known-cells.ts';
import { PrincipalCache } from '../../../src/gate/principals/principal-cache.ts';
import { DatabaseUnavailable } from '../../../src/lib/sql.ts';
import { forwardedHeaders } from '../../../src/program/http/forward/forwarded-headers.ts';
import { ProcessClock } from '../process-clock.ts';
import type { Random } from '../random.ts';
import type { VirtualClock } from '../virtual-clock.ts';
import type { CellRows, Stay } from './cell-rows.ts';

/** A request as it comes to a process, from its caller or from another cell. */
export interface Sent {
  readonly requestId: string;
  readonly key: string;
  readonly forwardedBy: string | undefined;
}

/** What its caller sees: it was served, the refusal, or nothing, because the process is gone. */
export type Outcome = 'served' | Refusal;

export interface ProcessParts {
  readonly time: VirtualClock;
  readonly random: Random;
  readonly rows: CellRows;
  readonly epoch: number;
  readonly knownCells: () => ReadonlyMap<string, string>;
  readonly isLost: () => boolean;
  /** Sends a request to another cell, and returns what that answers. */
  readonly forward: (shard: string, sent: Sent) => Promise<Outcome | ForwardFailure>;
  /** A request is being served. */
  readonly onServing: (sent: Sent, shard: string) => void;
  readonly onSettled: (workspaceId: string, charge: bigint) => void;
}

const CHARGE_MAX = 50;
const RETRY_MS = 1_000;
const NO_LIMITS = { requestsPerMinute: null, tokensPerMinute: null, concurrency: null };

/** One process of a cell: who calls, and where that is served, is decided by the program. */
export class CellProcess {
  readonly epoch: number;
  readonly clock: ProcessClock;
  readonly #parts: ProcessParts;
  readonly #listeners: ChangeListener[] = [];
  readonly #running = new Map<string, number>();
  /** What is left of leases. */
  readonly #leases = new Map<string, bigint>();
  readonly #calledBack = new Set<string>();
  readonly #returning = new Set<string>();
  #gate: Promise<GatewayDeps> | null = null;

  constructor(parts: ProcessParts) {
    const { time, epoch, rows } = parts;
    this.#parts = parts;
    this.epoch = epoch;
    this.clock = new ProcessClock(time, time.nowMs(), 1);
    rows.beginEpoch(epoch);
  }

  /** Those parts of the gate that decide where a request is served, from its first request on: until then it knows nothing. */
  async #openGate(): Promise<GatewayDeps> {
    const { rows, knownCells } = this.#parts;
    const feed = {
      subscribe: (listener: ChangeListener): void => void this.#listeners.push(listener),
    };
    const cells = new KnownCells({
      read: () => Promise.resolve(knownCells()),
      clock: this.clock,
      feed,
      onFault: () => undefined,
    });
    const principals = new PrincipalCache({
      lookUp: (secrets) => this.#atDatabase(() => secrets.map((secret) => principalOf(rows.find(secret)))),
      clock: this.clock,
      turns: this.clock,
      feed,
      shard: rows.shard,
      mayHave: (shard) => cells.has(shard),
    });
    await cells.reload();
    return {
      principals,
      clock: this.clock,
      addresses: { find: (address: string) => address },
      forwarder: {
        forward: async (request: ForwardedRequest) =>
          cells.urlOf(request.shard) === undefined ? 'unknown' : await this.#forward(request),
      },
      observer: { refused: () => undefined },
    } as unknown as GatewayDeps;
  }

  get isRunning(): boolean {
    return this.clock.isRunning;
  }

  /** Another one has changed something. */
  hear(change: Change): void {
    for (const listen of this.#listeners) listen(change);
    if (change.kind === 'workspace') this.#giveBack(change.subjectId);
  }

  /** Serves a request to its end. Never resolves if the process ends before. */
  async serve(sent: Sent): Promise<Outcome> {
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    const caller = callerOf(sent, resolve);
    const gate = await (this.#gate ??= this.#openGate());
    const known = authenticate(gate, caller);
    const principal = known instanceof Promise ? await known : known;
    if ('refusal' in principal)
      await endUnserved(gate, caller, { ...principal, endpoint: 'chat_completions', model: null });
    else resolve(await this.#spend(sent, principal));
    return await promise;
  }

  async #forward({ caller, shard, address }: ForwardedRequest): Promise<ForwardFailure | null> {
    const { requestId, authorization = '' } = caller;
    const headers = forwardedHeaders(caller, this.#parts.rows.shard, address);
    const forwardedBy = headers[FORWARDED_HEADER];
    const outcome = await this.#parts.forward(shard, {
      requestId,
      key: authorization.slice('Bearer '.length),
      forwardedBy,
    });
    if (typeof outcome === 'string' && outcome !== 'served') return outcome;
    if (outcome === 'served') caller.startRelayed(200, []);
    else caller.refuse(outcome);
    return null;
  }

  async #spend(sent: Sent, { workspaceId }: Principal): Promise<Outcome> {
    const { rows, random, onServing, onSettled } = this.#parts;
    this.#count(workspaceId, 1);
    try {
      const left = this.#leases.get(workspaceId) ?? (await this.#draw(workspaceId));
      if (left === null || left < BigInt(CHARGE_MAX)) return unavailable();
      onServing(sent, rows.shard);
      const charge = BigInt(random.between(1, CHARGE_MAX));
      this.#leases.set(workspaceId, left - charge);
      await this.#wait(random.pick([1, 20, 200, 1_000, 3_000]));
      await this.#atDatabase(() => {
        if (rows.settle(this.epoch, workspaceId, sent.requestId, charge)) onSettled(workspaceId, charge);
      });
      return 'served';
    } catch (fault) {
      if (fault instanceof DatabaseUnavailable) return unavailable();
      throw fault;
    } finally {
      this.#count(workspaceId, -1);
      if (!this.#running.has(workspaceId) && this.#calledBack.delete(workspaceId)) this.#giveBack(workspaceId);
    }
  }

  async #draw(workspaceId: string): Promise<bigint | null> {
    if (this.#returning.has(workspaceId)) return null;
    const granted = await this.#atDatabase(() => this.#parts.rows.draw(this.epoch, workspaceId));
    if (granted !== null && !this.#leases.has(workspaceId)) this.#leases.set(workspaceId, granted);
    return this.#leases.get(workspaceId) ?? null;
  }

  /** Once no request needs it any more. */
  #giveBack(workspaceId: string): void {
    if (!this.#leases.has(workspaceId)) return;
    if (this.#running.has(workspaceId)) {
      this.#calledBack.add(workspaceId);
      return;
    }
    this.#leases.delete(workspaceId);
    this.#returning.add(workspaceId);
    this.#atDatabase(() => this.#parts.rows.giveBack(this.epoch, workspaceId)).then(
      () => this.#returning.delete(workspaceId),
      () => undefined,
    );
  }

  #count(workspaceId: string, change: 1 | -1): void {
    const running = (this.#running.get(workspaceId) ?? 0) + change;
    if (running === 0) this.#running.delete(workspaceId);
    else this.#running.set(workspaceId, running);
  }

  /** Runs a transaction, which commits even if this process has ended since it was sent. */
  async #atDatabase<Result>(run: () => Result): Promise<Result> {
    const { time, random, isLost } = this.#parts;
    await new Promise<void>((resolve) => {
      time.after(random.between(1, 5), resolve);
    });
    const outcome = isLost() ? null : { result: run() };
    await this.#wait(random.between(1, 5));
    if (outcome === null) throw new DatabaseUnavailable('the cell is lost');
    return outcome.result;
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.clock.after(ms, resolve);
    });
  }
}

function unavailable(): Refusal {
  return refuse('SERVICE_UNAVAILABLE', 'There is no lease of the credit.', { retryAfterMs: RETRY_MS });
}

function principalOf(stay: Stay | null): Principal | null {
  if (stay === null) return null;
  const { workspaceId } = stay;
  return {
    workspaceId,
    projectId: workspaceId,
    keyId: workspaceId,
    policies: [],
    expiresAtMs: null,
    rateLimits: NO_LIMITS,
    budgetPeriod: 'month',
    memberLimitId: null,
    servedLimits: null,
    served: null,
    reportsCost: false,
    isAllowedFrom: null,
    suspension: null,
    movedTo: stay.movedTo,
    isPaused: stay.isPaused,
  };
}

/** Of a caller, what is read where it is decided who serves it. */
function callerOf({ requestId, key, forwardedBy }: Sent, answer: (outcome: Outcome) => void): Caller {
  return {
    requestId,
    authorization: `Bearer ${key}`,
    apiKey: undefined,
    principal: null,
    peerAddress: '192.0.2.1',
    forwardedFor: undefined,
    forwardedBy,
    bodyBytes: 0,
    isGone: false,
    refuse: answer,
    startRelayed: () => answer('served'),
  } as Partial<Caller> as Caller;
}
