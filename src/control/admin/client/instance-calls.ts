import type * as wire from '../contract.ts';
import type { CatalogueModelJson, ModelJson } from '../catalogue/model-contract.ts';
import type { ProvidersJson } from '../providers/provider-contract.ts';
import type * as price from '../catalogue/price-contract.ts';
import { type Call, type Page, type PageQuery, path, queryOf } from './call.ts';

/** The calls about the instance and its catalogue. Each @throws AdminRefused, AdminUnreachable */
export function instanceCalls(call: Call) {
  return {
    diffCatalogue: () => call<wire.CatalogueDiffJson>('GET', '/catalogue/diff'),
    applyCatalogue: (body: wire.CatalogueApplication) =>
      call<wire.AppliedCatalogueJson>('POST', '/catalogue/apply', body),
    listProviders: () => call<ProvidersJson>('GET', '/providers'),
    status: () => call<wire.StatusJson>('GET', '/status'),
    listProcesses: () => call<wire.ProcessesJson>('GET', '/processes'),
    examine: () => call<wire.ExaminationJson>('GET', '/doctor'),
    showSettings: () => call<wire.SettingsJson>('GET', '/settings'),
    beginRestart: () => call<wire.RestartJson>('POST', '/restart'),
    rotateSecretsKey: (body: wire.SecretsRotation) => call<wire.RotatedSecretsJson>('POST', '/secrets/rotate', body),
    showRestart: () => call<wire.RestartJson>('GET', '/restart'),
  };
}

/** The calls about models and what they cost. Each @throws AdminRefused, AdminUnreachable */
export function priceCalls(call: Call) {
  return {
    listCatalogue: (query: { readonly history?: 'true' | 'false' } = {}) =>
      call<{ readonly data: readonly CatalogueModelJson[] }>('GET', '/catalogue/models' + queryOf(query)),
    listModels: (workspace: string) =>
      call<{ readonly data: readonly ModelJson[] }>('GET', path`/workspaces/${workspace}/models`),
    showModel: (workspace: string, model: string) =>
      call<ModelJson>('GET', path`/workspaces/${workspace}/models/${model}`),
    listPriceAdjustments: (workspace: string, page: PageQuery = {}) =>
      call<Page<price.PriceAdjustmentJson>>('GET', path`/workspaces/${workspace}/prices` + queryOf(page)),
    adjustPrices: (workspace: string, body: price.PriceAdjustmentChange) =>
      call<price.PriceAdjustmentJson>('POST', path`/workspaces/${workspace}/prices`, body),
  };
}
