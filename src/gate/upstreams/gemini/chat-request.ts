import { shownName } from '../../openai/body-fault.ts';
import { SILENT_IN_CHAT } from '../../openai/chat-fields.ts';
import type { ChatRequest } from '../../openai/chat-request.ts';
import { assert } from '../../../lib/assert.ts';
import { toJson } from '../json-text.ts';
import { JsonView } from '../json-view.ts';
import type { TranslatedRequest } from '../translated-request.ts';
import { translateMessages } from './contents.ts';
import { CONFIG_FIELDS, generationConfigOf } from './generation-config.ts';
import { traitsOf } from './model-traits.ts';
import { translateTools } from './tools.ts';
import { elementsAt, translateOrFault, unfit } from './unfit-request.ts';

/** Fields that are read here, or only by the gate. */
const READ_FIELDS: readonly string[] = [
  ...CONFIG_FIELDS,
  'model',
  'messages',
  'stream',
  'stream_options',
  'n',
  'max_tokens',
  'max_completion_tokens',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
];

const TAKEN_FIELDS: ReadonlySet<string> = new Set([...READ_FIELDS, ...SILENT_IN_CHAT]);

/**
 * The body of `generateContent` and `streamGenerateContent` for an OpenAI chat request. `cap` is the most output
 * tokens of one choice; null keeps the caller's maximum.
 */
export function translateChat(
  request: Pick<ChatRequest, 'body' | 'maxTokens' | 'choices'>,
  upstreamModel: string,
  cap: number | null,
): TranslatedRequest {
  const body = JsonView.of(request.body);
  assert(body !== null, 'a request is valid JSON');
  return translateOrFault(() => {
    refuseUnknownFields(body, TAKEN_FIELDS);
    const traits = traitsOf(upstreamModel);
    const messages = body.get('messages');
    assert(messages !== undefined, 'a chat request has messages');
    const { systemInstruction, contents } = translateMessages(elementsAt(messages, 'messages'), traits.needsSignatures);
    const tools = translateTools({
      tools: body.get('tools'),
      toolChoice: body.get('tool_choice'),
      parallelToolCalls: body.get('parallel_tool_calls'),
    });
    const maxTokens = cap ?? request.maxTokens;
    const generationConfig = generationConfigOf(body, { maxTokens, choices: request.choices, traits });
    return toJson({ contents, systemInstruction, ...tools, generationConfig });
  });
}

/** Refuses a field that isn't in `taken`, unless it is null: without it, the answer would be to another question. */
export function refuseUnknownFields(body: JsonView, taken: ReadonlySet<string>): void {
  for (const [name, value] of body.members()) {
    if (taken.has(name) || value.kind === 'null') continue;
    const param = shownName(name);
    unfit(param, `${param === null ? 'A field of the body' : `'${param}'`} is not supported by this model's provider.`);
  }
}
