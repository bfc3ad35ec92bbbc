import { type ModelPolicy, matchesModel } from '../domain/policy.ts';
import { nearestName } from '../lib/nearest-name.ts';

/**
 * What to say of a policy's entries that match none of the models on sale, a sentence each. They are kept, because a
 * policy may name what will be sold later; but most are misspelt, and let nobody in.
 */
export function policyWarnings(policy: ModelPolicy | undefined, modelIds: readonly string[]): string[] {
  const idle = (policy ?? []).filter((entry) => !modelIds.some((id) => matchesModel(entry, id)));
  return idle.map((entry) => {
    const meant = nearestName(entry, modelIds);
    return `"${entry}" matches no model that is on sale${meant === null ? '.' : `: did you mean "${meant}"?`}`;
  });
}
