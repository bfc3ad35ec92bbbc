import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMPLETIONS_FIELDS } from '../../src/dialects/completions/completions-fields.ts';
import { betaName, isKnownBeta, OF_OTHER_APIS } from '../../src/dialects/messages/known-betas.ts';
import { MESSAGES_FIELDS } from '../../src/dialects/messages/messages-fields.ts';
import { CALLERS_TOOLS } from '../../src/dialects/messages/message-tools.ts';
import { RESPONSES_FIELDS } from '../../src/dialects/responses/responses-fields.ts';
import { CHAT_FIELDS } from '../../src/openai/chat-fields.ts';
import { EMBEDDINGS_FIELDS } from '../../src/openai/embeddings-fields.ts';
import type { FieldTable } from '../../src/openai/known-fields.ts';
import { declarations, membersOf, typeNamesOf, unionOf } from '../support/declared-types.ts';

// The newest SDKs know what their providers take. Whatever they have learnt since must be judged here: passed, priced or
// refused, by an entry in the API's table.

/** Written into headers by the SDKs, not into bodies. */
const HEADER_FIELDS = ['betas'];

const PARAMS: readonly (readonly [name: string, table: FieldTable, text: string, declared: string])[] = [
  ['openai', 'resources/chat/completions/completions.d.ts', 'ChatCompletionCreateParamsBase', CHAT_FIELDS] as const,
  ['openai', 'resources/completions.d.ts', 'CompletionCreateParamsBase', COMPLETIONS_FIELDS] as const,
  ['openai', 'resources/embeddings.d.ts', 'EmbeddingCreateParams', EMBEDDINGS_FIELDS] as const,
  ...['resources/responses', 'resources/beta/responses'].flatMap((folder) => [
    ['openai', `${folder}/responses.d.ts`, 'ResponseCreateParamsBase', RESPONSES_FIELDS] as const,
    ['openai', `${folder}/responses.d.ts`, 'ResponseCompactParams', RESPONSES_FIELDS] as const,
    ['openai', `${folder}/input-tokens.d.ts`, 'InputTokenCountParams', RESPONSES_FIELDS] as const,
  ]),
  ...['resources/messages', 'resources/beta/messages'].flatMap((folder) =>
    ['MessageCreateParamsBase', 'MessageCountTokensParams'].map(
      (declared) => ['@anthropic-ai/sdk', `${folder}/messages.d.ts`, declared, MESSAGES_FIELDS] as const,
    ),
  ),
].map(([name, path, declared, table]) => [`${name}/${path}`, table, declarations(name, path), declared] as const);

test.each(PARAMS)('each field that an SDK can send has a verdict: %s', (_name, { byName }, text, declared) => {
  const fields = membersOf(text, declared).filter((field) => !HEADER_FIELDS.includes(field));
  expect(fields.length).toBeGreaterThan(4);
  expect(fields.filter((field) => !byName.has(field))).toEqual([]);
});

const BETA_MESSAGES = declarations('@anthropic-ai/sdk', 'resources/beta/messages/messages.d.ts');

test('each beta that Anthropic’s SDK names passes, or is of another API', () => {
  const betas = unionOf(declarations('@anthropic-ai/sdk', 'resources/beta/beta.d.ts'), 'AnthropicBeta')
    .filter((beta) => beta.startsWith("'"))
    .map((beta) => beta.slice(1, -1));
  expect(betas.length).toBeGreaterThan(40);
  expect(betas.filter((beta) => isKnownBeta(beta) === OF_OTHER_APIS.has(betaName(beta)))).toEqual([]);
});

/** Tools that Anthropic runs: sold by their uses, or never, for lack of a bound on what they cost. */
const ANTHROPICS_OWN = /^(?:web_search_\d+|web_fetch_\d+|code_execution_\d+|advisor_\d+|mcp_toolset)$/;

test('each type of tool in Anthropic’s SDK is known as the caller’s or as the provider’s', () => {
  const types = unionOf(BETA_MESSAGES, 'BetaToolUnion').flatMap((name) => typeNamesOf(BETA_MESSAGES, name));
  expect(types.length).toBeGreaterThan(20);
  expect(types.filter((type) => CALLERS_TOOLS.test(type) === ANTHROPICS_OWN.test(type))).toEqual([]);
});

/** Blocks whose content counts as text or as media, or as a file at the most; none makes the provider do anything. */
const JUDGED_BLOCKS: readonly string[] = [
  'text',
  'image',
  'document',
  'search_result',
  'thinking',
  'redacted_thinking',
  'tool_use',
  'tool_result',
  'compaction',
  'fallback',
  // What tools of the provider have said before.
  'server_tool_use',
  'web_search_tool_result',
  'web_fetch_tool_result',
  'advisor_tool_result',
  'code_execution_tool_result',
  'bash_code_execution_tool_result',
  'text_editor_code_execution_tool_result',
  'tool_search_tool_result',
  'mcp_tool_use',
  'mcp_tool_result',
  'mcp_tool_listing',
  // Refused for the id of its file.
  'container_upload',
  // Refused where they define a tool that the provider runs.
  'tool_addition',
  'tool_removal',
];

test('each type of block that Anthropic’s SDK can send has been judged', () => {
  const types = unionOf(BETA_MESSAGES, 'BetaContentBlockParam').flatMap((name) => typeNamesOf(BETA_MESSAGES, name));
  expect(types.length).toBeGreaterThan(20);
  expect(types.filter((type) => !JUDGED_BLOCKS.includes(type))).toEqual([]);
});

const AGENTS = join(import.meta.dirname, '../fixtures/agents');
const TABLES: readonly (readonly [path: RegExp, table: FieldTable])[] = [
  [/^\/v1\/messages/, MESSAGES_FIELDS],
  [/^\/v1\/responses/, RESPONSES_FIELDS],
];

test('each field that recorded agents and SDKs have sent is known', () => {
  const unknown = readdirSync(AGENTS).flatMap((name) => {
    const recorded = JSON.parse(readFileSync(join(AGENTS, name), 'utf8')) as { path?: string; body?: object | null };
    const table = TABLES.find(([path]) => path.test(recorded.path ?? ''))?.[1];
    return Object.keys(recorded.body ?? {}).filter((field) => table?.byName.has(field) === false);
  });
  expect(unknown).toEqual([]);
});
