/** The models that may be called: null allows all; an entry is a model id or a prefix ending in `*` (`sandbox/*`). */
export type ModelPolicy = readonly string[] | null;

/** Whether an entry of a policy matches the model. */
export function matchesModel(entry: string, modelId: string): boolean {
  return entry.endsWith('*') ? modelId.startsWith(entry.slice(0, -1)) : entry === modelId;
}

/** Whether every policy in the chain (project's, key's) allows the model. */
export function allowsModel(policies: readonly ModelPolicy[], modelId: string): boolean {
  return policies.every((policy) => policy === null || policy.some((entry) => matchesModel(entry, modelId)));
}
