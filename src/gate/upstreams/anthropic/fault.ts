import type { ResponseHeaders } from '../http/response-head.ts';
import { faultOfErrorPayload, faultOfResponse } from '../response-fault.ts';
import type { UpstreamFault } from '../upstream.ts';

// Anthropic's errors that need more than the common rules.

/** An account without money, which is the operator's, is refused as an invalid request. */
const NO_MONEY = /credit balance is too low|plans & billing|purchase credits/i;

/** The API's name of a field, and the caller's. */
const CALLERS_FIELDS: Readonly<Record<string, string>> = {
  system: 'messages',
  messages: 'messages',
  tools: 'tools',
  tool_choice: 'tool_choice',
  max_tokens: 'max_completion_tokens',
  temperature: 'temperature',
  top_p: 'top_p',
  top_k: 'top_k',
  stop_sequences: 'stop',
  thinking: 'reasoning_effort',
  'output_config.effort': 'reasoning_effort',
  output_config: 'response_format',
  metadata: 'user',
};

/** The field that a message is about: it begins with the field's path, or quotes its name. */
function paramOf(message: string): string | null {
  const path = /^["'`]?([a-z_]+(?:\.[a-z_]+)?)/.exec(message)?.[1] ?? '';
  const isPath = /^["'`]?[a-z_]+(?:\.[\w-]+)*["'`]?(?::| )/.test(message);
  if (!isPath) return null;
  const field = CALLERS_FIELDS[path] ?? CALLERS_FIELDS[path.split('.')[0] ?? ''];
  return field ?? null;
}

function refine(fault: UpstreamFault): UpstreamFault {
  if (fault.kind !== 'rejected_request') return fault;
  const { status, callerMessage } = fault;
  if (NO_MONEY.test(callerMessage)) {
    return { kind: 'rejected_credentials', status, message: `${fault.message}: ${callerMessage}` };
  }
  return { ...fault, param: fault.param ?? paramOf(callerMessage) };
}

/** Converts a response other than 2xx to a fault. */
export function faultOfRefusal(status: number, headers: ResponseHeaders, body: Buffer, nowMs: number): UpstreamFault {
  return refine(faultOfResponse(status, headers, body, nowMs));
}

/** The fault for a parsed `error` object inside a 200. */
export function faultOfError(payload: unknown): UpstreamFault {
  return refine(faultOfErrorPayload(payload));
}
