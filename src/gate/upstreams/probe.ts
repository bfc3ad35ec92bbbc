import type { ProviderConfig } from '../../config/config.ts';
import { getSmall, type SmallAnswer } from './get-small.ts';
import type { ConnectionSettings } from './http/destination.ts';
import { isObject } from '../openai/json-object.ts';
import type { ModelPage, ModelSource } from './model-source.ts';
import { connectionSettings } from './provider-client.ts';
import { modelsOf } from './registry.ts';

// Checks, without spending anything, which parts of a configured provider work.

/** The result of probing one provider. It contains neither a key nor the provider's own messages. */
export interface ProviderProbe {
  readonly provider: string;
  readonly kind: ProviderConfig['kind'];
  readonly reachable: boolean;
  /** `none`: no key is configured. `unknown`: the list is answered without a key too, or not at all. */
  readonly key: 'accepted' | 'refused' | 'none' | 'unknown';
  /** The fault of the provider as a whole; null if there is none. */
  readonly problem: string | null;
  /** The models of its routes, and whether they exist; null if the provider doesn't report it. */
  readonly models: readonly { readonly upstreamModel: string; readonly isThere: boolean | null }[];
}

export interface ProbeOptions {
  /** For all requests to one provider; milliseconds. */
  readonly timeoutMs: number;
}

const LIST_BYTES_MAX = 16 * 1024 * 1024;
const PAGES_MAX = 20;
/** Answers of a server that has no list of models. */
const NO_LIST = [404, 405, 501];

/** A provider's models; null: it has no list. Or, in one line, why it is of no use. */
export type ModelList =
  | { readonly ok: true; readonly ids: readonly string[] | null }
  | { readonly ok: false; readonly problem: string };

/** All that a provider lists. Never rejects. */
export async function listModels(provider: ProviderConfig, { timeoutMs }: ProbeOptions): Promise<ModelList> {
  const source = modelsOf(provider);
  if (isList(source)) return { ok: true, ids: source };
  return await new Probe(source, connectionSettings(provider), performance.now() + timeoutMs).list();
}

/** Asks one provider for its models. Never rejects. */
export async function probeProvider(
  provider: ProviderConfig,
  upstreamModels: readonly string[],
  { timeoutMs }: ProbeOptions,
): Promise<ProviderProbe> {
  const { name, kind } = provider;
  const source = modelsOf(provider);
  const found = isList(source)
    ? ({ reachable: true, key: 'none', problem: null, isThere: (model) => source.includes(model) } satisfies Findings)
    : await new Probe(source, connectionSettings(provider), performance.now() + timeoutMs).run(upstreamModels);
  const { isThere, ...rest } = found;
  const models = upstreamModels.map((upstreamModel) => ({ upstreamModel, isThere: isThere(upstreamModel) }));
  return { provider: name, kind, ...rest, models };
}

interface Findings extends Pick<ProviderProbe, 'reachable' | 'key' | 'problem'> {
  readonly isThere: (upstreamModel: string) => boolean | null;
}

const unknown = (): null => null;

type Credentials = Readonly<Record<string, string>>;

/** How far the request for the list came. */
type Listing =
  | { readonly kind: 'unreached'; readonly why: 'key' | 'network'; readonly problem: string }
  | { readonly kind: 'refused'; readonly hasKey: boolean; readonly problem: string }
  | {
      readonly kind: 'answered';
      readonly credentials: Credentials;
      readonly problem: string | null;
      /** Null: there is no list, or it can't be read. */
      readonly ids: readonly string[] | null;
    };

/** The requests to one provider, and their time limit. */
class Probe {
  readonly #source: ModelSource;
  readonly #connection: ConnectionSettings;
  readonly #untilMs: number;

  constructor(source: ModelSource, connection: ConnectionSettings, untilMs: number) {
    this.#source = source;
    this.#connection = connection;
    this.#untilMs = untilMs;
  }

  async run(upstreamModels: readonly string[]): Promise<Findings> {
    const listing = await this.#listing();
    const { problem } = listing;
    if (listing.kind === 'unreached') return { reachable: false, key: 'unknown', problem, isThere: unknown };
    if (listing.kind === 'refused') {
      return { reachable: true, key: listing.hasKey ? 'refused' : 'none', problem, isThere: unknown };
    }
    const { credentials, ids } = listing;
    const key = !hasKey(credentials) ? 'none' : ids === null || !(await this.#needsKey()) ? 'unknown' : 'accepted';
    const there = await this.#findOneByOne(upstreamModels, ids, credentials);
    return { reachable: true, key, problem, isThere: (model) => there.get(model) ?? null };
  }

  async list(): Promise<ModelList> {
    const listing = await this.#listing();
    if (listing.kind === 'unreached' && listing.why === 'network') {
      return { ok: false, problem: `it cannot be reached: ${listing.problem}` };
    }
    if (listing.problem !== null) return { ok: false, problem: listing.problem };
    return { ok: true, ids: listing.kind === 'answered' ? listing.ids : null };
  }

  async #listing(): Promise<Listing> {
    const { credentials, list } = this.#source;
    if (credentials === null) return { kind: 'unreached', why: 'key', problem: 'its key or token cannot be read' };
    const first = await this.#get(list, credentials);
    if (!first.ok) return { kind: 'unreached', why: 'network', problem: first.problem };
    if (refusesKey(first)) {
      return hasKey(credentials)
        ? { kind: 'refused', hasKey: true, problem: 'it refuses the key' }
        : { kind: 'refused', hasKey: false, problem: 'it requires a key, and none is configured' };
    }
    const problem = await this.#problemOf(first.status, credentials);
    const ids = first.status === 200 ? await this.#allIds(first.body, credentials) : null;
    return { kind: 'answered', credentials, problem, ids };
  }

  /** The provider's fault by the status of its list; null: none. */
  async #problemOf(status: number, credentials: Credentials): Promise<string | null> {
    if (status === 200) return null;
    if (!NO_LIST.includes(status)) return `it answers ${status}`;
    const source = this.#source;
    if (source.versionedList === undefined) return null;
    const answer = await this.#get(source.versionedList, credentials);
    const isThere =
      answer.ok && (refusesKey(answer) || (answer.status === 200 && source.readPage(jsonOf(answer.body)) !== null));
    return isThere ? 'it answers below /v1, which its base_url lacks: add /v1 to it' : null;
  }

  /** Whether the list is refused without a key: so the key with which it was given was accepted. */
  async #needsKey(): Promise<boolean> {
    const answer = await this.#get(this.#source.list, {});
    return answer.ok && refusesKey(answer);
  }

  /** The ids on all pages of the list; null if it can't be read. */
  async #allIds(body: Buffer, credentials: Credentials): Promise<readonly string[] | null> {
    const ids: string[] = [];
    let page: ModelPage | null = this.#source.readPage(jsonOf(body));
    for (let pages = 1; page !== null; pages++) {
      ids.push(...page.ids);
      if (page.next === null) return ids;
      const next: SmallAnswer | null = pages < PAGES_MAX ? await this.#get(page.next, credentials) : null;
      page = next !== null && next.ok && next.status === 200 ? this.#source.readPage(jsonOf(next.body)) : null;
    }
    return null;
  }

  /** A route's model that isn't listed is requested separately, because lists omit aliases. */
  async #findOneByOne(
    models: readonly string[],
    ids: readonly string[] | null,
    credentials: Credentials,
  ): Promise<ReadonlyMap<string, boolean | null>> {
    const listed = new Set(ids);
    const found = await Promise.all(
      models.map(async (model): Promise<[string, boolean | null]> => {
        const path = this.#source.one(model);
        if (path === null) return [model, null];
        // Ollama lists its default tag, Google the collection that a model is in.
        if ([model, `${model}:latest`, `models/${model}`].some((name) => listed.has(name))) return [model, true];
        const answer = await this.#get(path, credentials);
        if (answer.ok && answer.status === 200 && isModel(jsonOf(answer.body))) return [model, true];
        return [model, ids === null ? null : false];
      }),
    );
    return new Map(found);
  }

  #get(path: string, credentials: Credentials): Promise<SmallAnswer> {
    const headers = { accept: 'application/json', 'user-agent': 'faregate', ...this.#source.headers, ...credentials };
    const timeoutMs = Math.max(1, Math.round(this.#untilMs - performance.now()));
    const request = { headers, timeoutMs, bytesMax: LIST_BYTES_MAX, connection: this.#connection };
    return getSmall(new URL(path, this.#source.origin), request);
  }
}

function isList(source: ModelSource | readonly string[]): source is readonly string[] {
  return Array.isArray(source);
}

function hasKey(credentials: Credentials): boolean {
  return Object.keys(credentials).length > 0;
}

/** Some servers answer 400 to a wrong key, and name it in the body. */
function refusesKey({ status, body }: { readonly status: number; readonly body: Buffer }): boolean {
  return status === 401 || status === 403 || (status === 400 && /api[ _-]?key/i.test(body.toString()));
}

function isModel(json: unknown): boolean {
  return isObject(json) && (typeof json['id'] === 'string' || typeof json['name'] === 'string');
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return null;
  }
}
