import { type ModelPolicy, matchesModel } from '../../../domain/policy.ts';
import { nearestName } from '../../../lib/nearest-name.ts';

/**
 * Warnings about policy entries that match no model on sale, one sentence each. Such entries are accepted, because a
 * policy may name future models, but most of them are misspelt.
 */
export function policyWarnings(policy: ModelPolicy | undefined, modelIds: readonly string[]): string[] {
  const idle = (policy ?? []).filter((entry) => !modelIds.some((id) => matchesModel(entry, id)));
  return idle.map((entry) => {
    const meant = nearestName(entry, modelIds);
    return `"${entry}" matches no model that is on sale${meant === null ? '.' : `: did you mean "${meant}"?`}`;
  });
}
