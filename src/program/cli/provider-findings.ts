// The findings of `faregate config check --probe` about a provider.

/** The result of probing one provider. */
export interface ProviderProbe {
  readonly provider: string;
  readonly kind: string;
  readonly reachable: boolean;
  readonly key: 'accepted' | 'refused' | 'none' | 'unknown';
  /** The fault of the provider as a whole; null if there is none. */
  readonly problem: string | null;
  /** `isThere` is null if the provider doesn't report it. */
  readonly models: readonly { readonly upstreamModel: string; readonly isThere: boolean | null }[];
}

/** The models of a provider; null: it has no list. Or, in one line, why it is of no use. */
export type ModelList =
  | { readonly ok: true; readonly ids: readonly string[] | null }
  | { readonly ok: false; readonly problem: string };

/** A probe with its verdict: `fail` if requests will fail, `warn` if that is unknown. */
export interface ProviderFinding {
  readonly probe: ProviderProbe;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly message: string;
}

const KEYS: Readonly<Record<ProviderProbe['key'], string | null>> = {
  accepted: 'accepts the key',
  refused: null,
  none: null,
  unknown: 'does not report whether the key is valid',
};

/** The verdict on a provider. */
export function findingOf(probe: ProviderProbe): ProviderFinding {
  const { reachable, key, problem, models } = probe;
  if (!reachable) return { probe, status: 'fail', message: `cannot be reached: ${problem ?? 'no answer'}` };
  const missing = models.filter(({ isThere }) => isThere === false);
  const unknown = models.filter(({ isThere }) => isThere === null);
  const parts = ['is reachable', KEYS[key], problem, ...modelParts(models.length, missing, unknown)];
  const fails = problem !== null || missing.length > 0;
  const status = fails ? 'fail' : key === 'unknown' || unknown.length > 0 ? 'warn' : 'ok';
  return { probe, status, message: parts.filter((part) => part !== null).join('; ') };
}

type Models = ProviderProbe['models'];

function modelParts(count: number, missing: Models, unknown: Models): string[] {
  if (count === 0) return ['no route uses it'];
  if (missing.length > 0) return [`does not have ${named(missing)}`];
  if (unknown.length > 0) return [`does not report whether it has ${named(unknown)}`];
  return [count === 1 ? 'has the model' : `has all ${count} models`];
}

function named(models: Models): string {
  return models.map(({ upstreamModel }) => `"${upstreamModel}"`).join(', ');
}
