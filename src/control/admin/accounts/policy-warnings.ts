import { type ModelPolicy, matchesModel } from '../../../domain/policy.ts';
import { nearestName } from '../../../lib/nearest-name.ts';

/**
 * Warnings about policy entries that match no model on sale, one sentence each. Such entries are accepted, because a
 * policy may name future models, but most of them are misspelt.
 */
export function policyWarnings(policy: ModelPolicy | undefined, modelIds: readonly string[]): string[] {
  const idle = (policy ?? []).filter((entry) => !modelIds.some((id) => matchesModel(entry, id)));
  return idle.map((entry) => warning(entry, 'matches no model', modelIds));
}

/** The same for a setting that names one model for chats by its id, which "*" at its end is not. */
export function modelWarnings(
  id: string | null | undefined,
  { all, chat }: { readonly all: readonly string[]; readonly chat: readonly string[] },
): string[] {
  if (id === null || id === undefined || chat.includes(id)) return [];
  if (!all.includes(id)) return [warning(id, 'is the id of no model', chat)];
  return [`"${id}" answers no chats, so no request will go to it: name a model of the kind chat.`];
}

function warning(entry: string, is: string, modelIds: readonly string[]): string {
  const meant = nearestName(entry, modelIds);
  return `"${entry}" ${is} that is on sale${meant === null ? '.' : `: did you mean "${meant}"?`}`;
}
