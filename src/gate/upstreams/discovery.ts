import type { ModelConfig, OpenAiProviderConfig } from '../../config/config.ts';
import { getSmall } from './get-small.ts';
import { DIRECT } from './http/destination.ts';
import { localModelConfig, readModelList, type LocalModel, type LocalServerKind } from './local-models.ts';

// Finds the model servers that run on this machine, so that a first start has real models without any configuration.

/**
 * A place to look for a server. `isExclusive`: no other server is usual on that port, so any model list there is its
 * own.
 */
export interface Candidate {
  readonly kind: LocalServerKind;
  readonly baseUrl: string;
  readonly isExclusive: boolean;
}

export interface DiscoveryOptions {
  /** Milliseconds for each probe as a whole; all run concurrently. */
  readonly fetchTimeoutMs: number;
  readonly candidates?: readonly Candidate[];
  /** The port that this program itself listens on, which is not probed. */
  readonly ownPort?: number;
}

export interface DiscoveredServers {
  readonly providers: readonly OpenAiProviderConfig[];
  readonly models: readonly ModelConfig[];
}

export const USUAL_CANDIDATES: readonly Candidate[] = [
  { kind: 'ollama', baseUrl: 'http://127.0.0.1:11434/v1', isExclusive: true },
  { kind: 'llamacpp', baseUrl: 'http://127.0.0.1:8080/v1', isExclusive: false },
  { kind: 'vllm', baseUrl: 'http://127.0.0.1:8000/v1', isExclusive: false },
  { kind: 'lmstudio', baseUrl: 'http://127.0.0.1:1234/v1', isExclusive: true },
];

const LIST_BYTES_MAX = 1024 * 1024;

/** Servers' values of `owned_by`. Ollama writes the model's namespace there, `library` for its own. */
const OWNERS: Readonly<Record<string, LocalServerKind>> = {
  llamacpp: 'llamacpp',
  vllm: 'vllm',
  organization_owner: 'lmstudio',
  library: 'ollama',
};

/**
 * Identifies the server of this list. On a port that many programs use, only a list that names its server counts:
 * another gateway there might have models that cost money.
 */
function identify(candidate: Candidate, models: readonly LocalModel[]): LocalServerKind | null {
  const owner = models.map((model) => model.ownedBy).find((ownedBy) => Object.hasOwn(OWNERS, ownedBy));
  if (owner !== undefined) return OWNERS[owner] as LocalServerKind;
  return candidate.isExclusive ? candidate.kind : null;
}

function providerOf(name: string, kind: LocalServerKind, baseUrl: string): OpenAiProviderConfig {
  return {
    name,
    kind: 'openai',
    baseUrl,
    apiKey: null,
    proxy: null,
    tls: null,
    concurrencyMax: null,
    drains: false,
    profile: kind,
    capField: null,
    needsCap: null,
    hasCompletions: null,
  };
}

async function probe(candidate: Candidate, timeoutMs: number): Promise<readonly LocalModel[] | null> {
  const request = { headers: { accept: 'application/json' }, timeoutMs, bytesMax: LIST_BYTES_MAX, connection: DIRECT };
  const answer = await getSmall(new URL(`${candidate.baseUrl}/models`), request);
  return answer.ok && answer.status === 200 ? readModelList(answer.body) : null;
}

/** Requests the models of all candidates concurrently; servers that don't answer in time are left out. */
export async function discoverLocalServers(options: DiscoveryOptions): Promise<DiscoveredServers> {
  const candidates = (options.candidates ?? USUAL_CANDIDATES).filter(
    (candidate) => options.ownPort === undefined || Number(new URL(candidate.baseUrl).port) !== options.ownPort,
  );
  const lists = await Promise.all(candidates.map((candidate) => probe(candidate, options.fetchTimeoutMs)));
  const providers = new Map<string, OpenAiProviderConfig>();
  const models = new Map<string, ModelConfig>();
  for (const [index, candidate] of candidates.entries()) {
    const list = lists[index] ?? null;
    const kind = list === null ? null : identify(candidate, list);
    if (list === null || kind === null || providers.has(kind)) continue;
    providers.set(kind, providerOf(kind, kind, candidate.baseUrl));
    for (const model of list) {
      const config = localModelConfig(kind, model);
      if (!models.has(config.id)) models.set(config.id, config);
    }
  }
  return { providers: [...providers.values()], models: [...models.values()] };
}
