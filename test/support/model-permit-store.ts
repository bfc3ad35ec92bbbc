import {
  type Bucket,
  clampToBucket,
  fullBucket,
  PARTS_PER_PERMIT,
  refilled,
  taken,
  waitFor,
} from '../../src/domain/token-bucket.ts';
import type { RateLimits } from '../../src/domain/principal.ts';
import {
  EpochFenced,
  NO_STOCK,
  type PermitDraw,
  type PermitReply,
  type PermitShortage,
  type PermitStock,
  type PermitStore,
} from '../../src/gate/purses/ports/database.ts';

// The rate limits' store as a model in memory, made of the domain's rules; a test holds it against PostgreSQL's, step by
// step. Its time is given.

const MINUTE_MS = 60_000;
const CALL_BACK_MS = 1_000;

interface ModelLease {
  sequence: number;
  stock: PermitStock;
  running: number;
  granted: readonly boolean[];
  minute: number;
  taken: number;
  takenBefore: number;
}

interface ModelProject {
  limits: RateLimits;
  requests: Bucket | null;
  tokens: Bucket | null;
  calledBackMs: number;
  readonly leases: Map<bigint, ModelLease>;
}

interface Others {
  readonly requests: number;
  readonly tokens: number;
  readonly slots: number;
  readonly taken: number;
}

const NO_LIMITS: RateLimits = { requestsPerMinute: null, tokensPerMinute: null, concurrency: null };

function newLease(): ModelLease {
  return { sequence: 0, stock: NO_STOCK, running: 0, granted: [], minute: 0, taken: 0, takenBefore: 0 };
}

function isEmpty({ stock, running }: ModelLease): boolean {
  return stock.requests === 0 && stock.tokens === 0 && stock.slots === 0 && running === 0;
}

function copyOf(project: ModelProject): ModelProject {
  return { ...project, leases: new Map([...project.leases].map(([id, lease]) => [id, { ...lease }])) };
}

function takenIn(lease: ModelLease, nowMs: number): number {
  const left = (MINUTE_MS - (nowMs % MINUTE_MS)) / MINUTE_MS;
  const age = Math.floor(nowMs / MINUTE_MS) - lease.minute;
  if (age === 0) return lease.taken + lease.takenBefore * left;
  return age === 1 ? lease.taken * left : 0;
}

function bucketAt(bucket: Bucket | null, perMinute: number | null, nowMs: number, inStock: number): Bucket | null {
  if (perMinute === null) return null;
  return refilled(bucket ?? fullBucket(perMinute, nowMs), perMinute, nowMs, inStock);
}

const whole = (bucket: Bucket | null): number => (bucket === null ? 0 : Math.trunc(bucket.parts / PARTS_PER_PERMIT));

function stockFor(left: number, limit: number | null, keep: number, target: number): number {
  return limit === null ? keep : Math.max(keep, Math.min(target, Math.floor(limit / 16), left - Math.ceil(limit / 2)));
}

export class ModelPermitStore implements PermitStore {
  readonly #nowMs: () => number;
  readonly #projects = new Map<string, ModelProject>();
  readonly #fenced = new Set<bigint>();
  /** Projects whose stock was called back, oldest first. */
  readonly callBacks: string[] = [];

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Makes the project, or gives it other limits. */
  setLimits(projectId: string, limits: RateLimits): void {
    const project = this.#projects.get(projectId);
    if (project !== undefined) project.limits = limits;
    else {
      this.#projects.set(projectId, { limits, requests: null, tokens: null, calledBackMs: 0, leases: new Map() });
    }
  }

  limitsOf(projectId: string): RateLimits {
    return this.#projects.get(projectId)?.limits ?? NO_LIMITS;
  }

  fence(epochId: bigint): void {
    this.#fenced.add(epochId);
    for (const project of this.#projects.values()) project.leases.delete(epochId);
  }

  async drawPermits(epochId: bigint, draws: readonly PermitDraw[]): Promise<PermitReply[]> {
    return this.drawAll(epochId, draws);
  }

  /** The same at once. */
  drawAll(epochId: bigint, draws: readonly PermitDraw[]): PermitReply[] {
    if (this.#fenced.has(epochId)) throw new EpochFenced('fenced');
    return draws.map((draw) => this.#draw(epochId, draw));
  }

  /** Draws what is wished for of projects that the epoch has nothing of, or has drawn from under the same number. */
  drawFirst(epochId: bigint, draws: readonly PermitDraw[]): ReadonlyMap<string, PermitReply> {
    const wanted = draws.filter(({ projectId, sequence }) => {
      const lease = this.#projects.get(projectId)?.leases.get(epochId);
      if (lease === undefined || lease.sequence === sequence) return true;
      return lease.sequence < sequence && isEmpty(lease);
    });
    const replies = this.drawAll(epochId, wanted);
    return new Map(wanted.map(({ projectId }, index) => [projectId, replies[index]] as [string, PermitReply]));
  }

  /** What an epoch has of each project, and how many of its requests run there. */
  stocksOf(epochId: bigint): ReadonlyMap<string, { readonly stock: PermitStock; readonly running: number }> {
    const stocks = new Map<string, ModelLease>();
    for (const [projectId, { leases }] of this.#projects) {
      const lease = leases.get(epochId);
      if (lease !== undefined) stocks.set(projectId, lease);
    }
    return stocks;
  }

  /** Remembers everything as it is now. Calling the answer brings it back, as a server would that got nothing since. */
  snapshot(): () => void {
    const projects = [...this.#projects].map(([id, project]) => [id, copyOf(project)] as const);
    const fenced = [...this.#fenced];
    return () => {
      this.#projects.clear();
      for (const [id, project] of projects) this.#projects.set(id, copyOf(project));
      this.#fenced.clear();
      for (const id of fenced) this.#fenced.add(id);
    };
  }

  #draw(epochId: bigint, draw: PermitDraw): PermitReply {
    const nowMs = Math.floor(this.#nowMs());
    const project = this.#projects.get(draw.projectId);
    if (project === undefined) return goneReply(draw);
    const { limits } = project;
    const lease = project.leases.get(epochId) ?? newLease();
    project.leases.set(epochId, lease);
    const others = this.#othersOf(project, lease, nowMs);
    const { stock } = lease;
    project.requests = bucketAt(project.requests, limits.requestsPerMinute, nowMs, others.requests + stock.requests);
    project.tokens = bucketAt(project.tokens, limits.tokensPerMinute, nowMs, others.tokens + stock.tokens);
    const isNew = draw.sequence > lease.sequence;
    if (isNew) this.#apply(project, lease, others, draw, nowMs);
    const slots =
      limits.concurrency === null ? null : limits.concurrency - others.slots - lease.running - lease.stock.slots;
    const shortages = lease.granted.map((granted, index) =>
      granted ? null : shortageOf(project, others, slots, draw.needs[index] ?? 0),
    );
    if (isNew) this.#callBack(project, lease, others, slots, draw, nowMs);
    const mine = takenIn(lease, nowMs);
    return {
      limits,
      stock: lease.stock,
      shortages,
      left: { requestParts: project.requests?.parts ?? null, tokenParts: project.tokens?.parts ?? null, slots },
      share: mine + others.taken > 0 ? mine / (mine + others.taken) : 0,
    };
  }

  #othersOf(project: ModelProject, own: ModelLease, nowMs: number): Others {
    const sum = { requests: 0, tokens: 0, slots: 0, taken: 0 };
    for (const lease of project.leases.values()) {
      if (lease === own) continue;
      sum.requests += lease.stock.requests;
      sum.tokens += lease.stock.tokens;
      sum.slots += lease.stock.slots + lease.running;
      sum.taken += takenIn(lease, nowMs);
    }
    return sum;
  }

  #apply(project: ModelProject, lease: ModelLease, others: Others, draw: PermitDraw, nowMs: number): void {
    const { limits } = project;
    const { requestsPerMinute, tokensPerMinute, concurrency } = limits;
    let requests =
      project.requests && taken(project.requests, -(draw.stock.requests + draw.returned.requests), others.requests);
    let tokens = project.tokens && taken(project.tokens, -(draw.stock.tokens + draw.returned.tokens), others.tokens);
    let slots = concurrency === null ? Infinity : concurrency - others.slots - draw.running;
    lease.granted = draw.needs.map((raw) => {
      const need = clampToBucket(tokensPerMinute, raw);
      const fits =
        (requests === null || requests.parts >= PARTS_PER_PERMIT) &&
        (tokens === null || tokens.parts >= need * PARTS_PER_PERMIT) &&
        slots >= 1;
      if (!fits) return false;
      requests = requests && taken(requests, 1, others.requests);
      tokens = tokens && taken(tokens, need, others.tokens);
      slots -= 1;
      return true;
    });
    const grants = lease.granted.filter(Boolean).length;
    const target = grants < draw.needs.length ? NO_STOCK : draw.target;
    lease.stock = {
      requests: stockFor(whole(requests), requestsPerMinute, draw.keep.requests, target.requests),
      tokens: stockFor(whole(tokens), tokensPerMinute, draw.keep.tokens, target.tokens),
      slots: stockFor(slots, concurrency, draw.keep.slots, target.slots),
    };
    project.requests = requests && taken(requests, lease.stock.requests);
    project.tokens = tokens && taken(tokens, lease.stock.tokens);
    lease.running = draw.running + grants;
    const minute = Math.floor(nowMs / MINUTE_MS);
    const age = minute - lease.minute;
    lease.takenBefore = age === 0 ? lease.takenBefore : age === 1 ? lease.taken : 0;
    lease.taken = (age === 0 ? lease.taken : 0) + draw.taken + grants;
    lease.minute = minute;
    lease.sequence = draw.sequence;
  }

  #callBack(
    project: ModelProject,
    { granted }: ModelLease,
    others: Others,
    slots: number | null,
    draw: PermitDraw,
    nowMs: number,
  ): void {
    const inTheWay = draw.needs.some((need, index) => {
      if (granted[index] === true) return false;
      const waits = waitsOf(project, others, slots, need);
      return (
        (waits.requests > 0 && others.requests > 0) ||
        (waits.tokens > 0 && others.tokens > 0) ||
        (waits.concurrency > 0 && others.slots > 0)
      );
    });
    if (!inTheWay || Math.abs(nowMs - project.calledBackMs) < CALL_BACK_MS) return;
    project.calledBackMs = nowMs;
    this.callBacks.push(draw.projectId);
  }
}

function waitsOf(
  { requests, tokens, limits }: ModelProject,
  others: Others,
  slots: number | null,
  raw: number,
): Record<PermitShortage['shortOf'], number> {
  const wait = (bucket: Bucket | null, need: number, stocked: number): number => {
    const waitMs = bucket === null ? 0 : waitFor(bucket, need);
    return waitMs > 0 && need > (bucket?.perMinute ?? 0) - stocked ? Math.max(waitMs, CALL_BACK_MS) : waitMs;
  };
  return {
    requests: wait(requests, 1, others.requests),
    tokens: wait(tokens, clampToBucket(limits.tokensPerMinute, raw), others.tokens),
    concurrency: slots !== null && slots < 1 ? 1_000 : 0,
  };
}

function shortageOf(project: ModelProject, others: Others, slots: number | null, raw: number): PermitShortage {
  const { requests, tokens, concurrency } = waitsOf(project, others, slots, raw);
  const longest = Math.max(requests, tokens, concurrency);
  const shortOf = longest === requests ? 'requests' : longest === tokens ? 'tokens' : 'concurrency';
  return { shortOf, waitMs: Math.max(1, longest) };
}

function goneReply({ keep, needs }: PermitDraw): PermitReply {
  return {
    limits: NO_LIMITS,
    stock: keep,
    shortages: needs.map(() => null),
    left: { requestParts: null, tokenParts: null, slots: null },
    share: 1,
  };
}
