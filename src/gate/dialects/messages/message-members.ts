import { CACHE_CONTROL } from '../../openai/chat-members.ts';
import { fieldTable, namesOf } from '../../openai/known-fields.ts';
import { SHARED } from '../../openai/server-fields.ts';

// Each known member of the objects in a message request, with its verdict.

const PART_OF = 'a part of it';

const EFFORT = { verdict: 'passes', reason: 'how much is thought, within the cap', names: ['effort'] } as const;

export const MESSAGE_MEMBERS = fieldTable(
  { verdict: 'priced', reason: 'what the hold goes by', names: ['role', 'content'] },
  {
    verdict: 'passes',
    reason: 'how the rest of the conversation is answered',
    names: ['output_config'],
    members: fieldTable(EFFORT),
  },
  { verdict: 'passes', reason: 'when the message is left out', names: ['clear_at'] },
);

const CITATION_MEMBERS = fieldTable(
  {
    verdict: 'passes',
    reason: 'where a text comes from',
    names: [
      'type',
      'enabled',
      'cited_text',
      'document_index',
      'document_title',
      'start_char_index',
      'end_char_index',
      'start_page_number',
      'end_page_number',
      'start_block_index',
      'end_block_index',
      'search_result_index',
      'encrypted_index',
      'source',
      'title',
      'url',
    ],
  },
  { verdict: 'refused', reason: SHARED, names: ['file_id'] },
);

export const BLOCK_MEMBERS = fieldTable(
  {
    verdict: 'priced',
    reason: 'what the hold goes by',
    names: ['type', 'source', 'content', 'signature', 'tool', 'tool_changes'],
  },
  CACHE_CONTROL,
  {
    verdict: 'passes',
    reason: 'what the caller or the model says',
    names: ['text', 'thinking', 'data', 'title', 'context'],
  },
  {
    verdict: 'passes',
    reason: 'the call of a tool, and what is the caller’s in it',
    names: ['id', 'name', 'input', 'tool_use_id', 'is_error', 'server_name', 'toolset_name', 'tool_name'],
  },
  {
    verdict: 'passes',
    reason: 'who called a tool',
    names: ['caller'],
    members: fieldTable({ verdict: 'passes', reason: PART_OF, names: ['type', 'tool_id'] }),
  },
  { verdict: 'passes', reason: 'where a text comes from', names: ['citations'], members: CITATION_MEMBERS },
  {
    verdict: 'passes',
    reason: 'what a tool has answered',
    names: [
      'encrypted_content',
      'page_age',
      'url',
      'retrieved_at',
      'error_code',
      'error_message',
      'return_code',
      'stdout',
      'stderr',
      'encrypted_stdout',
      'file_type',
      'num_lines',
      'start_line',
      'total_lines',
      'is_file_update',
      'lines',
      'new_lines',
      'new_start',
      'old_lines',
      'old_start',
      'stop_reason',
    ],
  },
  {
    verdict: 'passes',
    reason: 'tools that a search has found',
    names: ['tool_references'],
    members: fieldTable({ verdict: 'passes', reason: PART_OF, names: ['type', 'tool_name'] }, CACHE_CONTROL),
  },
  {
    verdict: 'passes',
    reason: 'which tools a server had, of which none is added by it',
    names: ['mcp_server_name', 'tools'],
  },
  {
    verdict: 'passes',
    reason: 'what a browser showed',
    names: ['tabs', 'state_changes'],
    members: fieldTable({
      verdict: 'passes',
      reason: PART_OF,
      names: ['type', 'tab_id', 'title', 'url', 'active', 'download_id', 'path', 'size_bytes', 'error'],
    }),
  },
  {
    verdict: 'passes',
    reason: 'what becomes of a large image, whose tokens are held at their most',
    names: ['transformations'],
    members: fieldTable({ verdict: 'passes', reason: PART_OF, names: ['oversized_image'] }),
  },
  {
    verdict: 'passes',
    reason: 'which model has answered before',
    names: ['from', 'to'],
    members: fieldTable({ verdict: 'passes', reason: PART_OF, names: ['model'] }),
  },
  {
    verdict: 'passes',
    reason: 'why another model has answered before',
    names: ['trigger'],
    members: fieldTable({ verdict: 'passes', reason: PART_OF, names: ['type', 'category'] }),
  },
  { verdict: 'refused', reason: SHARED, names: ['file_id'] },
);

export const SOURCE_MEMBERS = fieldTable(
  { verdict: 'priced', reason: 'what the hold goes by', names: ['type', 'data', 'content'] },
  { verdict: 'passes', reason: PART_OF, names: ['url', 'media_type'] },
  { verdict: 'refused', reason: SHARED, names: ['file_id'] },
);

const TEXT = 'counts as text';

/** The values of `type` in blocks and in results of tools. */
export const BLOCK_TYPES = fieldTable(
  { verdict: 'priced', reason: 'counts as a medium', names: ['image', 'document'] },
  {
    verdict: 'passes',
    reason: TEXT,
    names: [
      'text',
      'thinking',
      'redacted_thinking',
      'tool_use',
      'tool_result',
      'tool_reference',
      'server_tool_use',
      'search_result',
      'web_search_tool_result',
      'tool_search_tool_result',
      'compaction',
      'web_search_tool_result_error',
      'web_fetch_result',
      'web_fetch_tool_result_error',
      'advisor_result',
      'advisor_redacted_result',
      'advisor_tool_result_error',
      'code_execution_result',
      'encrypted_code_execution_result',
      'code_execution_tool_result_error',
      'bash_code_execution_result',
      'bash_code_execution_tool_result_error',
      'text_editor_code_execution_view_result',
      'text_editor_code_execution_create_result',
      'text_editor_code_execution_str_replace_result',
      'text_editor_code_execution_tool_result_error',
      'tool_search_tool_search_result',
      'tool_search_tool_result_error',
    ],
  },
  {
    verdict: 'passes',
    reason: 'counts as a file',
    names: [
      'web_search_result',
      'web_fetch_tool_result',
      'advisor_tool_result',
      'code_execution_tool_result',
      'code_execution_output',
      'bash_code_execution_tool_result',
      'bash_code_execution_output',
      'text_editor_code_execution_tool_result',
      'mcp_tool_use',
      'mcp_tool_result',
      'mcp_tool_listing',
      'browser_state',
      'container_upload',
      'fallback',
      'tool_addition',
      'tool_removal',
    ],
  },
);

/** Types that contain only text, whose tokens their bytes bound. */
export const TEXT_TYPES = namesOf(BLOCK_TYPES, ({ reason }) => reason === TEXT);

export const SOURCE_TYPES = fieldTable(
  { verdict: 'priced', reason: 'what the hold goes by', names: ['base64', 'text', 'content', 'url'] },
  { verdict: 'passes', reason: 'counts as a medium, and is refused for its id', names: ['file'] },
);

export const TOOL_MEMBERS = fieldTable(
  { verdict: 'priced', reason: 'what the hold goes by', names: ['type', 'name', 'max_uses'] },
  CACHE_CONTROL,
  {
    verdict: 'passes',
    reason: 'what the tool is for, and how it is called',
    names: [
      'description',
      'input_schema',
      'input_examples',
      'strict',
      'defer_loading',
      'allowed_callers',
      'eager_input_streaming',
    ],
  },
  {
    verdict: 'passes',
    reason: 'how the caller’s tool is set up',
    names: ['display_width_px', 'display_height_px', 'display_number', 'enable_zoom', 'max_characters', 'configs'],
  },
  {
    verdict: 'passes',
    reason: 'where the provider searches and what it fetches, for a fee for each use',
    names: [
      'allowed_domains',
      'blocked_domains',
      'max_content_tokens',
      'response_inclusion',
      'url_sources',
      'use_cache',
    ],
  },
  {
    verdict: 'passes',
    reason: 'where the provider searches',
    names: ['user_location'],
    members: fieldTable({
      verdict: 'passes',
      reason: PART_OF,
      names: ['type', 'city', 'region', 'country', 'timezone'],
    }),
  },
  { verdict: 'passes', reason: 'where a text comes from', names: ['citations'], members: CITATION_MEMBERS },
);

/** Members of `tool` in a block that adds or removes a tool. */
export const REFERENCE_MEMBERS = fieldTable(
  { verdict: 'priced', reason: 'a tool that the caller runs', names: ['definition'] },
  { verdict: 'passes', reason: 'which tool it is', names: ['type', 'name', 'server_name'] },
);

export const CHOICE_MEMBERS = fieldTable({
  verdict: 'passes',
  reason: 'how tools are called',
  names: ['type', 'name', 'disable_parallel_tool_use'],
});

export const THINKING_MEMBERS = fieldTable(
  { verdict: 'passes', reason: 'how much is thought, within the cap', names: ['type', 'budget_tokens'] },
  { verdict: 'passes', reason: 'what an answer shows', names: ['display'] },
  {
    verdict: 'passes',
    reason: 'what becomes of thoughts that don’t fit',
    names: ['block_binding'],
    members: fieldTable({ verdict: 'passes', reason: PART_OF, names: ['prefix_mismatch_behavior'] }),
  },
);

export const OUTPUT_MEMBERS = fieldTable(
  { verdict: 'priced', reason: 'answers by a schema', names: ['format'] },
  EFFORT,
  {
    verdict: 'passes',
    reason: 'the budget that the model is shown; the cap bounds it',
    names: ['task_budget'],
    members: fieldTable({ verdict: 'passes', reason: PART_OF, names: ['type', 'total', 'remaining'] }),
  },
);

export const FORMAT_MEMBERS = fieldTable({
  verdict: 'priced',
  reason: 'answers by a schema',
  names: ['type', 'schema'],
});

const AMOUNT = fieldTable({ verdict: 'passes', reason: PART_OF, names: ['type', 'value'] });

/** Members of an edit of `context_management`. */
export const EDIT_MEMBERS = fieldTable(
  { verdict: 'passes', reason: 'what is cleared', names: ['type', 'clear_tool_inputs', 'exclude_tools'] },
  {
    verdict: 'passes',
    reason: 'when and how much is cleared',
    names: ['trigger', 'keep', 'clear_at_least'],
    members: AMOUNT,
  },
);

export const METADATA_MEMBERS = fieldTable({
  verdict: 'passes',
  reason: 'says nothing about the answer',
  names: ['user_id'],
});
