import { type BodyFault, fieldFault } from '../../openai/body-fault.ts';

// Fields of a message request by which it buys something else than its model's entry prices, or reaches what belongs to
// the provider's account, which all workspaces share. Null is no request for anything, and passes.

const OTHER_MODEL = 'would change which model answers';
const FEE = 'would cost more than its tokens';
const SHARED = 'would reach what others have left at the provider';

const REFUSED: Readonly<Record<string, string>> = {
  models: OTHER_MODEL,
  fallback: OTHER_MODEL,
  fallbacks: OTHER_MODEL,
  fallback_model: OTHER_MODEL,
  inference_geo: FEE,
  container: SHARED,
};

const ALLOWED_VALUES: Readonly<Record<string, readonly string[]>> = {
  service_tier: ['auto', 'standard_only'],
  speed: ['standard'],
};

/** Fields that say nothing as long as they are empty. */
const EMPTY = ['mcp_servers'];

export const JUDGED_FIELDS: readonly string[] = [...Object.keys(REFUSED), ...Object.keys(ALLOWED_VALUES), ...EMPTY];

/** The fault of a field that would buy something else; null if `value`, parsed, may pass. */
export function judgeField(name: string, value: unknown): BodyFault | null {
  if (value === null) return null;
  if (EMPTY.includes(name)) {
    return Array.isArray(value) && value.length === 0
      ? null
      : fieldFault(name, `'${name}' is not supported here: it ${FEE}.`);
  }
  const allowed = ALLOWED_VALUES[name];
  if (allowed === undefined) return fieldFault(name, `'${name}' is not supported here: it ${REFUSED[name] ?? FEE}.`);
  if (typeof value === 'string' && allowed.includes(value)) return null;
  const values = allowed.map((each) => JSON.stringify(each)).join(' or ');
  return fieldFault(name, `'${name}' can only be ${values} here: anything else ${FEE}.`);
}

/** The fault of a `context_management`, parsed, that would make the provider write more than the answer. */
export function judgeContextManagement(value: unknown): BodyFault | null {
  const edits = typeof value === 'object' && value !== null && 'edits' in value ? value.edits : [];
  const list: readonly unknown[] = Array.isArray(edits) ? edits : [];
  const at = list.findIndex(
    (edit) =>
      typeof edit !== 'object' ||
      edit === null ||
      !('type' in edit) ||
      typeof edit.type !== 'string' ||
      !edit.type.startsWith('clear_'),
  );
  if (at < 0) return null;
  const param = `context_management.edits[${at}].type`;
  return fieldFault(param, `'${param}' can only be an edit that clears: anything else ${FEE}.`);
}
