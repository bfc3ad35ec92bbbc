import { maskCredentials } from '../../openai/error-body.ts';
import type { JsonView } from '../json-view.ts';
import { blockedPrompt } from '../known-rejections.ts';
import type { UpstreamFault } from '../upstream.ts';

// A prompt that Google refuses for its content: the answer has a reason instead of candidates.

const MESSAGE_MAX = 500;

/** Whether an answer reports that its prompt was blocked. */
export function isPromptBlocked(answer: JsonView): boolean {
  return answer.get('promptFeedback')?.get('blockReason') !== undefined;
}

/** The fault of a refused prompt. It is the caller's, as OpenAI's own API answers such a prompt with a 400. */
export function faultOfBlockedPrompt(answer: JsonView, status: number): UpstreamFault {
  const feedback = answer.get('promptFeedback');
  const reason = /^[A-Z_]{1,64}$/.exec(feedback?.get('blockReason')?.text() ?? '')?.[0] ?? 'OTHER';
  const words = maskCredentials(feedback?.get('blockReasonMessage')?.text() ?? '', MESSAGE_MAX);
  const {
    code,
    message: callerMessage,
    param,
  } = blockedPrompt(`The model's provider has refused the prompt (${reason}).${words === '' ? '' : ` ${words}`}`);
  return {
    kind: 'rejected_request',
    status,
    callerMessage,
    code,
    param,
    message: `the prompt was blocked: ${reason}`,
  };
}
