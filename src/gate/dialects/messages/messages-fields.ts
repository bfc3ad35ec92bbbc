import { CACHE_CONTROL } from '../../openai/chat-members.ts';
import { fieldTable } from '../../openai/known-fields.ts';
import { METADATA_MEMBERS } from './message-members.ts';
import {
  FEE,
  PASSING_TO_SERVERS,
  REFUSED_ANYWHERE,
  SHARED,
  SOLD_BY_TIER,
  NO_MODELS,
} from '../../openai/server-fields.ts';

// Each known field of a message request, with its verdict.

const OTHER_ACCOUNT = 'would have the provider bill or serve another account than the operator’s';

export const MESSAGES_FIELDS = fieldTable(
  {
    verdict: 'priced',
    reason: 'what the hold goes by',
    names: [
      'model',
      'max_tokens',
      'stream',
      'system',
      'messages',
      'tools',
      'tool_choice',
      'thinking',
      'output_config',
      'output_format',
    ],
    inChat: 'read',
  },
  { ...CACHE_CONTROL, inChat: 'read' },
  { verdict: 'priced', reason: 'edits that clear alone', names: ['context_management'], inChat: 'read' },
  {
    verdict: 'passes',
    reason: 'how the next token is chosen, and when to stop',
    names: ['stop_sequences', 'temperature', 'top_p', 'top_k'],
    inChat: 'read',
  },
  {
    verdict: 'passes',
    reason: 'says nothing about the answer',
    names: ['metadata'],
    inChat: 'read',
    members: METADATA_MEMBERS,
  },
  { verdict: 'passes', reason: 'how much is thought, within the cap', names: ['reasoning_effort'] },
  { verdict: 'priced', reason: SOLD_BY_TIER, names: ['service_tier', 'speed'], inChat: 'read' },
  { verdict: 'refused', reason: FEE, names: ['mcp_servers'], values: [[]], inChat: 'read' },
  { verdict: 'refused', reason: SHARED, names: ['container', 'diagnostics'] },
  {
    verdict: 'refused',
    reason: 'would go on from a conversation at the provider; send all of it in messages',
    names: ['thread'],
    // With these details, Anthropic's SDK continues without a thread.
    details: { error_code: 'thread_unsupported_request', unsupported: ['thread'] },
  },
  {
    verdict: 'refused',
    reason: 'would have the provider write a summary beside the answer',
    names: ['compaction'],
  },
  {
    verdict: 'refused',
    reason: OTHER_ACCOUNT,
    names: ['billing_policy', 'workspace_id', 'user_profile_id'],
  },
  {
    verdict: 'refused',
    reason: 'would change what the provider asks for its tokens',
    names: ['fallback_credit_token'],
  },
  NO_MODELS,
  ...REFUSED_ANYWHERE,
  ...PASSING_TO_SERVERS,
);
