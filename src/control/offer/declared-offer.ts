import type { ModelConfig, ProviderConfig } from '../../config/config.ts';
import { KNOWN_PROVIDERS, type KnownProvider } from '../../config/known-providers.ts';
import { PRICES_SOURCE } from '../../config/price-map/known-prices.ts';
import { costedEntry } from '../../config/price-map/model-entries.ts';
import { proposeModels } from '../../config/price-map/proposal.ts';
import { vendorOf } from '../../config/price-map/provider-choice.ts';
import { describeModel, describeProvider } from '../../config/print-config.ts';
import { type Declaration, printDeclarations } from '../../config/stored-declarations.ts';
import type { FileNames, StoredOffer } from './stored-offer.ts';

// What the config file and the database declare, as operators see it: in the form of the file, without keys.

/** Providers whose address is known. */
export const KNOWN: readonly Pick<KnownProvider, 'name' | 'section'>[] = KNOWN_PROVIDERS;

/** What the config file declares. */
export interface FileOffer {
  readonly providers: readonly ProviderConfig[];
  readonly models: readonly ModelConfig[];
}

export function namesOf({ providers, models }: FileOffer): FileNames {
  return { providers: providers.map(({ name }) => name), models: models.map(({ id }) => id) };
}

/** A provider of the file in its form. */
export function providerDeclaration(provider: ProviderConfig): Declaration {
  const { api_key: _key, ...declaration } = describeProvider(provider);
  return declaration;
}

/** A model of the file in its form, with the price that a mark-up makes. */
export function modelDeclaration(model: ModelConfig): Declaration {
  return describeModel(model);
}

/** What is stored, as a part of a config file. */
export function printOffer({ providers, models }: StoredOffer): string {
  return printDeclarations(
    providers.map((provider) => ({ ...provider, hasKey: provider.encryptedKey !== null })),
    models.map(({ declaration }) => declaration),
  );
}

/** A model that a provider lists. */
export interface ProposedModel {
  /** Its id there. */
  readonly id: string;
  /** Whether its price is known, and no other listed model is its newer name. */
  readonly proposed: boolean;
  /** The model with its limits and its cost; null: they are not known. */
  readonly declaration: Declaration | null;
}

/** The models of a provider that lists these; `pricesFrom`: where their costs are known from. */
export function proposalOf(
  provider: ProviderConfig,
  ids: readonly string[],
): { readonly models: readonly ProposedModel[]; readonly pricesFrom: string } {
  const { models, proposed, unpriced } = proposeModels(ids, { vendor: vendorOf(provider), ownPrice: null });
  const known = [...models].map(([id, model]) => ({
    id,
    proposed: proposed.includes(id),
    declaration: { ...costedEntry(model, provider.name) },
  }));
  const unknown = unpriced.map((id) => ({ id, proposed: false, declaration: null }));
  return { models: [...known, ...unknown], pricesFrom: PRICES_SOURCE };
}
