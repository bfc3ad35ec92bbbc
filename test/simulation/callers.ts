import type { NanoUsd } from '../../src/domain/money.ts';
import { type Principal, type RateLimits, serving } from '../../src/domain/principal.ts';
import { PERIODS } from '../../src/domain/window.ts';
import { BRIEF_KINDS, type BriefKind, type PurseKind } from '../../src/gate/purses/ports/database.ts';
import type { FleetOracle } from './fleet-oracle.ts';
import type { Random } from './random.ts';
import type { Raise } from './model-purses.ts';
import type { RateOracle } from './rate-oracle.ts';
import type { SharedDatabase } from './shared-database.ts';

export const LARGEST = 1_000n;
/** The most tokens that a request is quoted. */
export const TOKENS_LARGEST = 400;

/** How many projects a workspace has, and how many keys a project. */
export interface Size {
  readonly projects: number;
  readonly keys: number;
}

const USUAL: Size = { projects: 2, keys: 2 };
/** How many end users and sessions a project has that its requests are for. */
const SERVED = 2;
/** More purses than one statement draws, and more projects than one statement draws permits of. */
const LARGE: Size = { projects: 1_000, keys: 1 };

function servedId(kind: BriefKind, index: number, projectId: string): string {
  return `${kind} ${index} of ${projectId}`;
}

interface Oracles {
  readonly money: FleetOracle;
  readonly rates: RateOracle;
}

/** Workspaces with their projects and keys, whose limits change as time passes. The oracles hear of each change. */
export class Callers {
  readonly #random: Random;
  readonly #database: SharedDatabase;
  readonly #oracles: Oracles;
  readonly #idOf: (kind: string) => string;
  readonly #principals: Principal[] = [];

  constructor(
    random: Random,
    database: SharedDatabase,
    oracles: Oracles,
    { isLarge, idOf }: { isLarge: boolean; idOf: (kind: string) => string },
  ) {
    this.#random = random;
    this.#database = database;
    this.#oracles = oracles;
    this.#idOf = idOf;
    if (isLarge) this.#addWorkspace(LARGE);
    else for (let count = random.between(1, 2); count > 0; count--) this.#addWorkspace(this.#anySize());
  }

  get all(): readonly Principal[] {
    return this.#principals;
  }

  any(): Principal {
    return this.#random.pick(this.#principals);
  }

  /** The caller of a request: some name an end user, a session or both, which their project limits. */
  serve(principal: Principal): Principal {
    const random = this.#random;
    const endUserId = random.chance(0.3) ? random.pick(this.#servedOf(principal, 'end_user')) : null;
    const sessionId = random.chance(0.2) ? random.pick(this.#servedOf(principal, 'session')) : null;
    return endUserId === null && sessionId === null ? principal : serving(principal, endUserId, sessionId);
  }

  /** Their ids need no look-up, so they are there before anybody has named them. */
  #servedOf({ projectId }: Principal, kind: BriefKind): readonly string[] {
    return this.#allServedOf(projectId).flatMap(([of, id]) => (of === kind ? [id] : []));
  }

  /** Changes the limit of some purse, or some project's rate limits. */
  changeLimit(): void {
    const random = this.#random;
    const any = this.any();
    const { workspaceId, projectId, keyId, memberLimitId } = any;
    const kind = random.between(0, 11);
    // A change waits for rows that are locked; it comes another time.
    if ([workspaceId, projectId, keyId].some((id) => this.#database.busy.has(id))) return;
    if (kind < 4) return this.#setLimit('project', projectId, this.#anyLimit(), this.#anyRaise());
    if (kind < 6 && memberLimitId !== null)
      return this.#setLimit('member', memberLimitId, this.#amountOfLimit(), this.#anyRaise());
    if (kind < 7) return this.#setLimit('key', keyId, this.#anyLimit(), this.#anyRaise());
    if (kind === 7) return this.#setRates(projectId, this.#anyRates());
    if (kind > 9) {
      const of = random.pick(BRIEF_KINDS);
      return this.#setLimit(of, random.pick(this.#servedOf(any, of)), this.#anyLimit());
    }
    // Credit is granted, or refunded as far as nobody has leased or spent it.
    const { model } = this.#database;
    const purse = [...model.purses.values()].find(({ name }) => name.subjectId === workspaceId);
    const limit = model.limitOf('credit', workspaceId) ?? 0n;
    const free = limit - (purse === undefined ? 0n : purse.spent + purse.leased);
    const change = random.chance(0.7) ? random.amount(LARGEST) : -random.amount(free);
    this.#setLimit('credit', workspaceId, limit + change);
  }

  /** Another server has taken over, and has limits of before. */
  tookOver(): void {
    const { model, permits } = this.#database;
    for (const { workspaceId, projectId, keyId, memberLimitId } of this.#principals) {
      this.#oracles.money.setLimit('credit', workspaceId, model.limitOf('credit', workspaceId));
      this.#oracles.money.setLimit('project', projectId, model.limitOf('project', projectId));
      this.#oracles.money.setLimit('key', keyId, model.limitOf('key', keyId));
      if (memberLimitId !== null)
        this.#oracles.money.setLimit('member', memberLimitId, model.limitOf('member', memberLimitId));
      this.#setRates(projectId, permits.limitsOf(projectId));
      for (const [kind, id] of this.#allServedOf(projectId))
        this.#oracles.money.setLimit(kind, id, model.limitOf(kind, id));
    }
  }

  #allServedOf(projectId: string): readonly (readonly [BriefKind, string])[] {
    return BRIEF_KINDS.flatMap((kind) =>
      Array.from({ length: SERVED }, (_, index) => [kind, servedId(kind, index, projectId)] as const),
    );
  }

  #addWorkspace({ projects, keys }: Size): void {
    const random = this.#random;
    const workspaceId = this.#idOf('workspace');
    this.#setLimit('credit', workspaceId, random.amount(5n * LARGEST) * BigInt(random.pick([1, 1, 20])));
    // Members have keys in several projects, and others' keys beside theirs.
    const members = [null, this.#idOf('member'), this.#idOf('member')];
    for (const member of members) if (member !== null) this.#setLimit('member', member, this.#amountOfLimit());
    for (let project = 0; project < projects; project++) {
      const projectId = this.#idOf('project');
      const budgetPeriod = random.pick(PERIODS);
      this.#setLimit('project', projectId, this.#anyLimit());
      for (const [kind, id] of this.#allServedOf(projectId)) this.#setLimit(kind, id, this.#amountOfLimit());
      const servedLimits = { endUserPeriod: random.pick(PERIODS), sessions: true };
      const rateLimits = this.#anyRates();
      for (let key = 0; key < keys; key++) {
        const keyId = this.#idOf('key');
        this.#setLimit('key', keyId, this.#anyLimit());
        this.#principals.push({
          workspaceId,
          projectId,
          keyId,
          policies: [],
          expiresAtMs: null,
          rateLimits,
          budgetPeriod,
          memberLimitId: random.pick(members),
          servedLimits,
          served: null,
          reportsCost: false,
          isAllowedFrom: null,
          suspension: null,
        });
      }
      this.#setRates(projectId, rateLimits);
    }
  }

  #anySize(): Size {
    const random = this.#random;
    return { projects: random.between(1, USUAL.projects), keys: random.between(1, USUAL.keys) };
  }

  #anyLimit(): NanoUsd | null {
    return this.#random.chance(0.4) ? null : this.#amountOfLimit();
  }

  #amountOfLimit(): NanoUsd {
    return this.#random.amount(4n * LARGEST);
  }

  /** A raise that ends soon, or within days. */
  #anyRaise(): Raise | null {
    const random = this.#random;
    if (random.chance(0.6)) return null;
    const untilMs = this.#database.nowMs + random.pick([10, 300, 3_000, 30_000, 86_400_000]);
    return { limit: this.#amountOfLimit(), untilMs };
  }

  #anyRates(): RateLimits {
    const random = this.#random;
    const some = <Limit>(limits: readonly Limit[]): Limit | null => (random.chance(0.7) ? null : random.pick(limits));
    return {
      requestsPerMinute: some([6, 40, 600]),
      tokensPerMinute: some([1_000, 6_000, 200_000]),
      concurrency: some([1, 5, 40]),
    };
  }

  /** The oracle judges refusals by the ordinary limit: what it thinks short may have been raised, never the other way round. */
  #setLimit(kind: PurseKind, id: string, limit: NanoUsd | null, raise: Raise | null = null): void {
    this.#database.model.setLimit(kind, id, limit, raise);
    this.#oracles.money.setLimit(kind, id, limit);
  }

  #setRates(projectId: string, rateLimits: RateLimits): void {
    this.#database.setRates(projectId, rateLimits);
    this.#oracles.rates.setLimits(projectId, rateLimits);
    this.#principals.forEach((principal, index) => {
      if (principal.projectId !== projectId) return;
      const changed = Object.freeze({ ...principal, rateLimits });
      this.#principals[index] = changed;
      this.#database.model.keys.set(principal.keyId, changed);
    });
  }
}

/** A caller as its process knows it, for whom the request is. */
export function sameServed(met: Principal, { served }: Principal): Principal {
  return served === null ? met : serving(met, served.endUserId, served.sessionId);
}
