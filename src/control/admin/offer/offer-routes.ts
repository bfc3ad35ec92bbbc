import type { ModelConfig, ProviderConfig } from '../../../config/config.ts';
import { refuse } from '../../../domain/refusals.ts';
import type { ModelList } from '../../../gate/upstreams/probe.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import type { Keyring } from '../../encryption/keyring.ts';
import {
  type FileOffer,
  KNOWN,
  modelDeclaration,
  namesOf,
  printOffer,
  proposalOf,
  providerDeclaration,
} from '../../offer/declared-offer.ts';
import { removeDeclaration, storeModel, storeProvider } from '../../offer/offer-changes.ts';
import { readStoredOffer, type StoredDeclaration } from '../../offer/stored-offer.ts';
import type { AdminApp } from '../route-access.ts';
import { serve } from '../serve.ts';
import type { OfferedModelJson, OfferedProviderJson, ProviderProbeJson } from './offer-contract.ts';

export interface OfferParts {
  readonly sql: ControlSql;
  readonly keyring: Keyring;
  readonly declaredInFile: () => FileOffer;
  /** Lists a provider's models; takes some seconds at most. */
  readonly listModelsAt: (provider: ProviderConfig) => Promise<ModelList>;
}

/** Adds the routes of what the config file and the database declare. */
export function addOfferRoutes(app: AdminApp, parts: OfferParts): void {
  const { sql, keyring, declaredInFile } = parts;
  const stored = () => readStoredOffer(sql, keyring, namesOf(declaredInFile()));
  const changing = () => ({ sql, keyring, file: namesOf(declaredInFile()) });
  serve(app, 'showOffer', async () => {
    const [file, offer] = [declaredInFile(), await stored()];
    return {
      providers: [
        ...file.providers.map(providerInFile),
        ...offer.providers.map((one) => providerJson(one, one.problem)),
      ],
      models: [...file.models.map(modelInFile), ...offer.models.map((one) => modelJson(one, one.problem))],
      known_providers: KNOWN.map(({ name, section }) => ({ name, declaration: { ...section } })),
      yaml: printOffer(offer),
    };
  });
  serve(app, 'storeProvider', providerJson, ({ operator, params: { provider: name }, body, version }) => {
    const { declaration, api_key: apiKey } = body;
    return storeProvider(changing(), operator, { name, declaration, apiKey, version });
  });
  serve(app, 'storeModel', modelJson, ({ operator, params: { model: name }, body: { declaration }, version }) =>
    storeModel(changing(), operator, { name, declaration, version }),
  );
  serve(app, 'deleteProvider', providerJson, ({ operator, params, version }) =>
    removeDeclaration(sql, operator, { kind: 'provider', name: params.provider, version }),
  );
  serve(app, 'deleteModel', modelJson, ({ operator, params, version }) =>
    removeDeclaration(sql, operator, { kind: 'model', name: params.model, version }),
  );
  serve(app, 'probeProvider', async ({ params }) => {
    const inFile = declaredInFile().providers.find(({ name }) => name === params.provider);
    const found = inFile === undefined ? (await stored()).providers.find(({ name }) => name === params.provider) : null;
    if (found === undefined) return refuse('NOT_FOUND', 'There is no such provider.');
    const provider = inFile ?? found?.config;
    if (provider === undefined || provider === null) return probeFailed(found?.problem ?? '');
    return probeJson(provider, await parts.listModelsAt(provider));
  });
}

function probeJson(provider: ProviderConfig, list: ModelList): ProviderProbeJson {
  if (!list.ok) return probeFailed(list.problem);
  if (list.ids === null) return probeFailed('it has no list of its models');
  const { models, pricesFrom } = proposalOf(provider, list.ids);
  return { problem: null, models: models.map((model) => ({ ...model })), prices_from: pricesFrom };
}

function probeFailed(problem: string): ProviderProbeJson {
  return { problem, models: [], prices_from: null };
}

function providerInFile(provider: ProviderConfig): OfferedProviderJson {
  const declaration = { ...providerDeclaration(provider) };
  return { name: provider.name, ...IN_FILE, has_key: provider.apiKey !== null, declaration };
}

function modelInFile(model: ModelConfig): OfferedModelJson {
  return { id: model.id, ...IN_FILE, declaration: { ...modelDeclaration(model) } };
}

const IN_FILE = { source: 'file', version: null, changed_at: null, problem: null } as const;

function providerJson(stored: StoredDeclaration, problem: string | null = null): OfferedProviderJson {
  return { name: stored.name, ...originJson(stored, problem), has_key: stored.encryptedKey !== null };
}

function modelJson(stored: StoredDeclaration, problem: string | null = null): OfferedModelJson {
  return { id: stored.name, ...originJson(stored, problem) };
}

function originJson({ declaration, version, changedAt }: StoredDeclaration, problem: string | null) {
  const source = 'database' as const;
  return { source, version, changed_at: changedAt.toISOString(), problem, declaration: { ...declaration } };
}
