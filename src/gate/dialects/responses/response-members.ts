import { CACHE_BREAKPOINT } from '../../openai/chat-members.ts';
import { fieldTable, namesOf } from '../../openai/known-fields.ts';
import { FEE, SHARED } from '../../openai/server-fields.ts';

// Each known member of the objects in a Responses request, with its verdict.

const PART_OF = 'a part of it';

export const ITEM_MEMBERS = fieldTable(
  {
    verdict: 'priced',
    reason: 'what the hold goes by',
    names: ['type', 'role', 'content', 'output', 'tools', 'id', 'encrypted_content'],
  },
  { verdict: 'priced', reason: SHARED, names: ['file_id', 'container_id'] },
  { verdict: 'passes', reason: 'how far an item is', names: ['status', 'phase', 'created_by'] },
  {
    verdict: 'passes',
    reason: 'what the model thought',
    names: ['summary'],
    members: fieldTable({ verdict: 'passes', reason: PART_OF, names: ['type', 'text'] }),
  },
  {
    verdict: 'passes',
    reason: 'the call of a tool, and what is the caller’s in it',
    names: [
      'call_id',
      'name',
      'namespace',
      'arguments',
      'parsed_arguments',
      'input',
      'execution',
      'async',
      'action',
      'actions',
      'operation',
      'code',
      'queries',
      'environment',
      'max_output_length',
    ],
  },
  {
    verdict: 'passes',
    reason: 'who called a tool',
    names: ['caller'],
    members: fieldTable({ verdict: 'passes', reason: PART_OF, names: ['type', 'caller_id'] }),
  },
  {
    verdict: 'passes',
    reason: 'who wrote it',
    names: ['agent'],
    members: fieldTable({ verdict: 'passes', reason: PART_OF, names: ['agent_name'] }),
  },
  { verdict: 'passes', reason: 'who wrote it', names: ['author', 'recipient', 'caller_id', 'fingerprint'] },
  {
    verdict: 'passes',
    reason: 'what a tool has answered',
    names: [
      'result',
      'results',
      'outputs',
      'error',
      'revised_prompt',
      'background',
      'output_format',
      'quality',
      'size',
      'svg_usage',
      'pending_safety_checks',
      'acknowledged_safety_checks',
    ],
  },
  {
    verdict: 'passes',
    reason: 'the call of a tool that a server runs, which is sold by its uses',
    names: ['server_label', 'approval_request_id', 'approve', 'reason'],
  },
  {
    verdict: 'passes',
    reason: 'how the rest of the conversation is answered',
    names: ['reasoning'],
    members: fieldTable({ verdict: 'passes', reason: 'how much is thought, within the cap', names: ['effort'] }),
  },
  { verdict: 'passes', reason: 'how the rest of the conversation is answered', names: ['text'] },
);

const PLAIN = 'counts as text, with the media in it';

/** The values of `type` in items. */
export const ITEM_TYPES = fieldTable(
  { verdict: 'priced', reason: 'an item of an answer that is kept here', names: ['item_reference'] },
  {
    verdict: 'passes',
    reason: PLAIN,
    names: [
      'message',
      'reasoning',
      'function_call',
      'function_call_output',
      'custom_tool_call',
      'custom_tool_call_output',
      'tool_search_call',
      'tool_search_output',
      'additional_tools',
      'compaction',
    ],
  },
  {
    verdict: 'passes',
    reason: 'counts likewise, and is looked through for ids',
    names: [
      'file_search_call',
      'web_search_call',
      'computer_call',
      'computer_call_output',
      'code_interpreter_call',
      'image_generation_call',
      'local_shell_call',
      'local_shell_call_output',
      'shell_call',
      'shell_call_output',
      'apply_patch_call',
      'apply_patch_call_output',
      'mcp_list_tools',
      'mcp_call',
      'mcp_approval_request',
      'mcp_approval_response',
      'program',
      'program_output',
      'agent_message',
      'multi_agent_call',
      'multi_agent_call_output',
      'configuration_update',
    ],
  },
  {
    verdict: 'refused',
    reason: 'would have the provider write a summary beside the answer; use /v1/responses/compact',
    names: ['compaction_trigger'],
  },
);

/** Items with only text in their members, apart from their content and output. */
export const PLAIN_TYPES = namesOf(ITEM_TYPES, ({ reason }) => reason === PLAIN);

export const PART_MEMBERS = fieldTable(
  {
    verdict: 'priced',
    reason: 'what the hold goes by',
    names: ['type', 'image_url', 'file_data', 'input_audio'],
  },
  { verdict: 'priced', reason: SHARED, names: ['file_id', 'container_id'] },
  { verdict: 'passes', reason: 'what the caller or the model says', names: ['text', 'refusal', 'encrypted_content'] },
  { verdict: 'passes', reason: 'where a file comes from', names: ['file_url', 'filename', 'detail'] },
  { verdict: 'passes', reason: 'what an answer has shown', names: ['annotations', 'logprobs', 'parsed'] },
  { verdict: 'passes', reason: 'what a shell has answered', names: ['stdout', 'stderr', 'outcome', 'created_by'] },
  CACHE_BREAKPOINT,
);

export const AUDIO_MEMBERS = fieldTable(
  { verdict: 'priced', reason: 'what the hold goes by', names: ['data'] },
  { verdict: 'passes', reason: PART_OF, names: ['format'] },
);

/** The values of `type` in parts. */
export const PART_TYPES = fieldTable(
  {
    verdict: 'priced',
    reason: 'counts as a medium',
    names: ['input_image', 'computer_screenshot', 'input_file', 'input_audio'],
  },
  {
    verdict: 'passes',
    reason: 'counts as text',
    names: ['input_text', 'output_text', 'text', 'refusal', 'summary_text', 'reasoning_text'],
  },
  { verdict: 'passes', reason: 'counts as a file', names: ['encrypted_content'] },
);

export const TEXT_MEMBERS = fieldTable(
  { verdict: 'priced', reason: 'answers by a schema', names: ['format'] },
  { verdict: 'passes', reason: 'what an answer shows', names: ['verbosity'] },
);

export const FORMAT_MEMBERS = fieldTable(
  { verdict: 'priced', reason: 'answers by a schema', names: ['type', 'schema'] },
  {
    verdict: 'passes',
    reason: 'the form of the text',
    names: ['name', 'description', 'strict', 'syntax', 'definition'],
  },
);

export const REASONING_MEMBERS = fieldTable(
  {
    verdict: 'passes',
    reason: 'how much is thought, within the cap',
    names: ['effort', 'context', 'max_tokens', 'enabled'],
  },
  { verdict: 'passes', reason: 'what an answer shows', names: ['summary', 'generate_summary', 'exclude'] },
  { verdict: 'refused', reason: FEE, names: ['mode'], values: ['standard'] },
);

export const STREAM_OPTIONS_MEMBERS = fieldTable({
  verdict: 'passes',
  reason: 'what an answer shows',
  names: ['include_obfuscation', 'include_usage'],
});

const PLACE = fieldTable({
  verdict: 'passes',
  reason: PART_OF,
  names: ['type', 'city', 'region', 'country', 'timezone'],
});

/** Members of tools. Tools that a provider runs are also searched for ids (hosted-tools.ts). */
export const TOOL_MEMBERS = fieldTable(
  { verdict: 'priced', reason: 'a tool that the caller runs', names: ['type', 'tools'] },
  {
    verdict: 'passes',
    reason: 'what the tool is for, and how it is called',
    names: [
      'name',
      'description',
      'parameters',
      'output_schema',
      'strict',
      'format',
      'execution',
      'defer_loading',
      'allowed_callers',
      'async',
    ],
  },
  {
    verdict: 'passes',
    reason: 'what a search of the web finds, for its fee',
    names: ['external_web_access', 'filters', 'search_content_types', 'search_context_size'],
  },
  { verdict: 'passes', reason: 'where the provider searches', names: ['user_location'], members: PLACE },
  {
    verdict: 'passes',
    reason: 'a server that is called for a fee',
    names: [
      'server_label',
      'server_url',
      'server_description',
      'allowed_tools',
      'authorization',
      'headers',
      'require_approval',
    ],
  },
  {
    verdict: 'passes',
    reason: 'a computer that is used for a fee',
    names: ['display_width', 'display_height', 'environment'],
  },
  { verdict: 'passes', reason: 'where code runs for a fee', names: ['container'] },
  {
    verdict: 'passes',
    reason: 'an image that is made for a fee',
    names: [
      'action',
      'background',
      'input_fidelity',
      'input_image_mask',
      'model',
      'moderation',
      'output_compression',
      'output_format',
      'partial_images',
      'quality',
      'size',
    ],
  },
  { verdict: 'refused', reason: FEE, names: ['frame_count'], values: [1] },
  { verdict: 'refused', reason: FEE, names: ['frame_duration_ms', 'complexity', 'svg'] },
  {
    verdict: 'passes',
    reason: 'refused where the tool is sold, as an id of what is kept at the provider',
    names: ['connector_id', 'tunnel_id'],
  },
);

export const CHOICE_MEMBERS = fieldTable(
  { verdict: 'priced', reason: 'how tools are called', names: ['type', 'tools'] },
  {
    verdict: 'passes',
    reason: 'how tools are called',
    names: ['mode', 'name', 'namespace', 'server_label', 'function'],
  },
);
