import type { ModelPolicy } from '../../domain/policy.ts';
import type { Principal, RateLimits } from '../../domain/principal.ts';

// The principals in memory: a bounded map by the key's SHA-256, with an index by key, project and workspace for their
// changes. A hit costs one look-up and one write. A full map evicts by second chance: the oldest entry that was not
// used since it was last passed over. So a hit reorders nothing.

interface Entry {
  readonly principal: Principal;
  used: boolean;
}

/** The used entries that one insertion may pass over, so that no insertion walks the whole map. */
const SECOND_CHANCES_MAX = 16;

/** The keys of a subject, by their SHA-256. Most subjects have one key. */
type Index = Map<string, string | Set<string>>;

function addTo(index: Index, id: string, sha256: string): void {
  const known = index.get(id);
  if (known === undefined || known === sha256) index.set(id, sha256);
  else if (typeof known === 'string') index.set(id, new Set([known, sha256]));
  else known.add(sha256);
}

function removeFrom(index: Index, id: string, sha256: string): void {
  const known = index.get(id);
  if (known === sha256) index.delete(id);
  if (!(known instanceof Set)) return;
  known.delete(sha256);
  if (known.size === 0) index.delete(id);
}

function firstOf(known: string | Set<string> | undefined): string | undefined {
  if (!(known instanceof Set)) return known;
  const [first] = known;
  return first;
}

function isSameLimits(one: RateLimits, other: RateLimits): boolean {
  return (
    one.requestsPerMinute === other.requestsPerMinute &&
    one.tokensPerMinute === other.tokensPerMinute &&
    one.concurrency === other.concurrency
  );
}

function isSamePolicy(one: ModelPolicy, other: ModelPolicy): boolean {
  if (one === null || other === null) return one === other;
  return one.length === other.length && one.every((model, index) => model === other[index]);
}

/** A copy of the principal that shares equal parts with another principal of its project, which saves memory. */
function sharing(principal: Principal, other: Principal): Principal {
  const [project = null, key = null] = principal.policies;
  const [otherProject = null, otherKey = null] = other.policies;
  const hasSame = isSamePolicy(project, otherProject);
  const shared = Object.freeze([hasSame ? otherProject : project, key]);
  return Object.freeze({
    ...principal,
    workspaceId: other.workspaceId,
    projectId: other.projectId,
    policies: hasSame && isSamePolicy(key, otherKey) ? other.policies : shared,
    rateLimits: isSameLimits(principal.rateLimits, other.rateLimits) ? other.rateLimits : principal.rateLimits,
  });
}

/** Holds at most `capacity` principals. */
export class PrincipalStore {
  readonly #capacity: number;
  readonly #entries = new Map<string, Entry>();
  readonly #byKey: Index = new Map();
  readonly #byProject: Index = new Map();
  readonly #byWorkspace: Index = new Map();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(sha256: string): Principal | undefined {
    const entry = this.#entries.get(sha256);
    if (entry === undefined) return undefined;
    entry.used = true;
    return entry.principal;
  }

  /** Stores a principal, and returns the stored object. */
  put(sha256: string, found: Principal): Principal {
    this.#remove(sha256);
    if (this.#entries.size >= this.#capacity) this.#evict();
    const other = this.#entries.get(firstOf(this.#byProject.get(found.projectId)) ?? '')?.principal;
    const principal = other === undefined ? found : sharing(found, other);
    this.#entries.set(sha256, { principal, used: false });
    addTo(this.#byKey, principal.keyId, sha256);
    addTo(this.#byProject, principal.projectId, sha256);
    addTo(this.#byWorkspace, principal.workspaceId, sha256);
    return principal;
  }

  dropKey(keyId: string): void {
    this.#drop(this.#byKey, keyId);
  }

  dropProject(projectId: string): void {
    this.#drop(this.#byProject, projectId);
  }

  dropWorkspace(workspaceId: string): void {
    this.#drop(this.#byWorkspace, workspaceId);
  }

  clear(): void {
    this.#entries.clear();
    this.#byKey.clear();
    this.#byProject.clear();
    this.#byWorkspace.clear();
  }

  #drop(index: Index, id: string): void {
    const known = index.get(id);
    if (known === undefined) return;
    for (const sha256 of typeof known === 'string' ? [known] : [...known]) this.#remove(sha256);
  }

  #evict(): void {
    let passed = 0;
    for (const [sha256, entry] of this.#entries) {
      if (!entry.used || passed === SECOND_CHANCES_MAX) return this.#remove(sha256);
      passed++;
      entry.used = false;
      this.#entries.delete(sha256);
      this.#entries.set(sha256, entry);
    }
  }

  #remove(sha256: string): void {
    const entry = this.#entries.get(sha256);
    if (entry === undefined) return;
    this.#entries.delete(sha256);
    removeFrom(this.#byKey, entry.principal.keyId, sha256);
    removeFrom(this.#byProject, entry.principal.projectId, sha256);
    removeFrom(this.#byWorkspace, entry.principal.workspaceId, sha256);
  }
}
