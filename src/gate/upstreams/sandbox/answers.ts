import { unreachable } from '../../../lib/assert.ts';
import type { UpstreamFault } from '../upstream.ts';
import type { SandboxChatModel } from './models.ts';
import type { OfferedTool, Prompt } from './prompt.ts';
import { exampleOf } from './schema-example.ts';

// The text of each sandbox model, before it is cut to a cap and encoded.

export type SandboxAnswer =
  | { readonly kind: 'text'; readonly text: string; readonly durationMs: number }
  | { readonly kind: 'tool'; readonly name: string; readonly arguments: string; readonly durationMs: number }
  | { readonly kind: 'fault'; readonly fault: UpstreamFault }
  /** Half of the text, then a fault; if that is null, an unannounced end. */
  | { readonly kind: 'half'; readonly text: string; readonly fault: UpstreamFault | null };

const SLOW_TEXT =
  'One two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty.';
const SLOW_MS = 2_000;
const HALF_TEXT = 'This answer breaks off before its end.';

const REJECTION = 'The sandbox rejects this request, as it was asked to.';

/** The failures of the model `error`, by the user's message; any other message gives the first. */
const FAILURES: Readonly<Record<string, SandboxAnswer>> = {
  '500': { kind: 'fault', fault: { kind: 'failed', status: 500, message: 'the sandbox fails as it was asked to' } },
  '400': {
    kind: 'fault',
    fault: {
      kind: 'rejected_request',
      status: 400,
      callerMessage: REJECTION,
      code: null,
      param: 'messages',
      message: REJECTION,
    },
  },
  '401': {
    kind: 'fault',
    fault: { kind: 'rejected_credentials', status: 401, message: 'the sandbox refuses the key' },
  },
  '429': {
    kind: 'fault',
    fault: { kind: 'overloaded', status: 429, retryAfterMs: 1_000, message: 'the sandbox is overloaded' },
  },
  '503': { kind: 'fault', fault: { kind: 'failed', status: 503, message: 'the sandbox is not available' } },
  timeout: { kind: 'fault', fault: { kind: 'timeout', phase: 'first_byte', message: 'the sandbox keeps silent' } },
  broken: { kind: 'half', text: HALF_TEXT, fault: { kind: 'broken', message: 'the sandbox breaks off' } },
  cut: { kind: 'half', text: HALF_TEXT, fault: null },
};

function text(value: string, prompt: Prompt): SandboxAnswer {
  return { kind: 'text', text: value, durationMs: prompt.delayMs ?? 0 };
}

function callTool(tool: OfferedTool, prompt: Prompt): SandboxAnswer {
  const example = exampleOf(tool.parameters, prompt.userText);
  // The arguments of a call are an object, even if the example of the schema isn't.
  const values = typeof example === 'object' && example !== null ? example : {};
  return { kind: 'tool', name: tool.name, arguments: JSON.stringify(values), durationMs: prompt.delayMs ?? 0 };
}

/** The model's answer; the same prompt always gets the same one. */
export function answerOf(model: SandboxChatModel, prompt: Prompt): SandboxAnswer {
  switch (model) {
    case 'echo':
      return text(prompt.userText, prompt);
    case 'slow':
      return { kind: 'text', text: SLOW_TEXT, durationMs: prompt.delayMs ?? SLOW_MS };
    case 'error': {
      const wanted = prompt.userText.trim();
      return FAILURES[Object.hasOwn(FAILURES, wanted) ? wanted : '500'] as SandboxAnswer;
    }
    case 'tool-call':
      if (prompt.toolResult !== null) return text(`The tool answered: ${prompt.toolResult}`, prompt);
      return prompt.tool === null ? text('No tool was offered.', prompt) : callTool(prompt.tool, prompt);
    case 'json':
      return text(
        JSON.stringify(prompt.schema === null ? { echo: prompt.userText } : exampleOf(prompt.schema, prompt.userText)),
        prompt,
      );
    default:
      return unreachable(model);
  }
}
