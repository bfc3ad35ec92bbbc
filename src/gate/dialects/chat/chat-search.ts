import type { SoldTools } from '../../../domain/model.ts';
import { NO_USES, type ToolUses } from '../../../domain/uses.ts';
import { type BodyFault, fieldFault } from '../../openai/body-fault.ts';
import type { ChatRequest } from '../../openai/chat-request.ts';

// A chat request searches the web by a field of its own. Models that support it search once for each choice before
// they answer, and report no number of searches, so each choice of an answer counts as a use.

const FIELD = 'web_search_options';

/** The fault of a request for searches with which its model isn't sold. */
export function faultOfSearch({ extras }: ChatRequest, sold: SoldTools): BodyFault | null {
  if (!extras.includes(FIELD) || sold.web_search !== undefined) return null;
  return fieldFault(
    FIELD,
    `'${FIELD}' is not for sale with this model; leave it out. Its operator sells it by a fee, price.fees.web_search.`,
  );
}

/** Uses of each answer. */
export function searchesOf({ extras, choices }: ChatRequest, sold: SoldTools): ToolUses {
  return extras.includes(FIELD) && sold.web_search !== undefined ? { web_search: choices } : NO_USES;
}
