import { type ModelPolicy, matchesModel } from '../domain/policy.ts';
import { nearestName } from '../lib/nearest-name.ts';

/**
 * Warnings about a policy's entries that match no model on sale, a sentence each. They are kept, because a policy may
 * name future models; but most are misspelt, and allow none.
 */
export function policyWarnings(policy: ModelPolicy | undefined, modelIds: readonly string[]): string[] {
  const idle = (policy ?? []).filter((entry) => !modelIds.some((id) => matchesModel(entry, id)));
  return idle.map((entry) => {
    const meant = nearestName(entry, modelIds);
    return `"${entry}" matches no model that is on sale${meant === null ? '.' : `: did you mean "${meant}"?`}`;
  });
}
