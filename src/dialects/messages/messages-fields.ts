import { type BodyFault, fieldFault } from '../../openai/body-fault.ts';
import { isObject } from '../../openai/json-object.ts';
import { type Judgement, never } from '../../openai/judged-fields.ts';

// Fields of a message request by which it buys something else than its model's entry prices, or reaches what belongs to
// the provider's account, which all workspaces share.

const OTHER_MODEL = 'would change which model answers';
const FEE = 'would cost more than its tokens';
const SHARED = 'would reach what others have left at the provider';

export const MESSAGES_JUDGEMENTS: Readonly<Record<string, Judgement>> = {
  models: never(OTHER_MODEL),
  fallback: never(OTHER_MODEL),
  fallbacks: never(OTHER_MODEL),
  fallback_model: never(OTHER_MODEL),
  inference_geo: never(FEE),
  container: never(SHARED),
  service_tier: { values: ['auto', 'standard_only'], reason: FEE },
  speed: { values: ['standard'], reason: FEE },
  mcp_servers: { values: [[]], reason: FEE },
};

/** The fault of a `context_management`, parsed, that would make the provider write more than the answer. */
export function judgeContextManagement(value: unknown): BodyFault | null {
  const edits = isObject(value) ? value['edits'] : [];
  const list: readonly unknown[] = Array.isArray(edits) ? edits : [];
  const at = list.findIndex((edit) => !isObject(edit) || !String(edit['type']).startsWith('clear_'));
  if (at < 0) return null;
  const param = `context_management.edits[${at}].type`;
  return fieldFault(param, `'${param}' can only be an edit that clears: anything else ${FEE}.`);
}
