import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { COMPLETIONS_FIELDS } from '../../src/gate/dialects/completions/completions-fields.ts';
import { betaName, isKnownBeta, OF_OTHER_APIS } from '../../src/gate/dialects/messages/known-betas.ts';
import * as block from '../../src/gate/dialects/messages/message-members.ts';
import { readCountedRequest } from '../../src/gate/dialects/messages/messages-request.ts';
import { MESSAGES_FIELDS } from '../../src/gate/dialects/messages/messages-fields.ts';
import { CALLERS_TOOLS } from '../../src/gate/dialects/messages/message-tools.ts';
import * as item from '../../src/gate/dialects/responses/response-members.ts';
import { readResponsesRequest } from '../../src/gate/dialects/responses/responses-request.ts';
import { RESPONSES_FIELDS } from '../../src/gate/dialects/responses/responses-fields.ts';
import { CHAT_FIELDS } from '../../src/gate/openai/chat-fields.ts';
import { readChatRequest } from '../../src/gate/openai/chat-request.ts';
import { EMBEDDINGS_FIELDS } from '../../src/gate/dialects/embeddings/embeddings-fields.ts';
import * as chat from '../../src/gate/openai/chat-members.ts';
import { type FieldTable, fieldTable } from '../../src/gate/openai/known-fields.ts';
import {
  declarations,
  declaredIn,
  interfacesIn,
  membersOf,
  typeNamesOf,
  unionOf,
  withoutComments,
} from '../support/declared-types.ts';

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

/** A table of members, and that of the values of `type` in such objects. */
interface Judged {
  readonly members: FieldTable;
  readonly types?: FieldTable;
  /** Interfaces that are left out of a request, or refused by their types. */
  readonly but?: RegExp;
}

const JUDGED_BLOCKS: Judged = { members: block.BLOCK_MEMBERS, types: block.BLOCK_TYPES };
const JUDGED_PARTS: Judged = { members: item.PART_MEMBERS, types: item.PART_TYPES };

/** The objects in members that a reader reads, by the paths of those that are judged otherwise elsewhere. */
const BELOW: Readonly<Record<string, Readonly<Record<string, Judged>>>> = {
  messages: {
    messages: { members: block.MESSAGE_MEMBERS },
    system: JUDGED_BLOCKS,
    content: JUDGED_BLOCKS,
    tool_changes: JUDGED_BLOCKS,
    source: { members: block.SOURCE_MEMBERS, types: block.SOURCE_TYPES },
    tool: { members: block.REFERENCE_MEMBERS },
    tools: { members: block.TOOL_MEMBERS, but: /CodeExecution|Advisor|MCPToolset/ },
    definition: { members: block.TOOL_MEMBERS, but: /CodeExecution|Advisor|MCPToolset|WebSearch|WebFetch/ },
    tool_choice: { members: block.CHOICE_MEMBERS },
    thinking: { members: block.THINKING_MEMBERS },
    output_config: { members: block.OUTPUT_MEMBERS },
    output_format: { members: block.FORMAT_MEMBERS },
    format: { members: block.FORMAT_MEMBERS },
    context_management: { members: fieldTable({ verdict: 'priced', reason: '', names: ['edits'] }) },
    edits: { members: block.EDIT_MEMBERS, but: /Compact/ },
  },
  chat: {
    messages: { members: chat.MESSAGE_MEMBERS },
    content: { members: chat.PART_MEMBERS, types: chat.PART_TYPES },
    image_url: { members: chat.MEDIA_MEMBERS },
    input_audio: { members: chat.MEDIA_MEMBERS },
    file: { members: chat.MEDIA_MEMBERS },
    stream_options: { members: chat.STREAM_OPTIONS_MEMBERS },
    response_format: { members: chat.RESPONSE_FORMAT_MEMBERS },
    json_schema: { members: chat.JSON_SCHEMA_MEMBERS },
    web_search_options: { members: chat.SEARCH_MEMBERS },
    prediction: { members: chat.PREDICTION_MEMBERS },
    tools: { members: chat.TOOL_MEMBERS },
    function: { members: chat.TOOL_FUNCTION_MEMBERS },
    custom: { members: chat.TOOL_FUNCTION_MEMBERS },
    functions: { members: chat.FUNCTION_MEMBERS },
  },
  responses: {
    input: { members: item.ITEM_MEMBERS, types: item.ITEM_TYPES },
    content: JUDGED_PARTS,
    output: { members: item.PART_MEMBERS },
    input_audio: { members: item.AUDIO_MEMBERS },
    text: { members: item.TEXT_MEMBERS },
    format: { members: item.FORMAT_MEMBERS },
    tools: {
      members: item.TOOL_MEMBERS,
      but: /FileSearchTool|FunctionShellTool|ProgrammaticToolCalling|McpListTools/,
    },
    tool_choice: { members: item.CHOICE_MEMBERS },
  },
};

const sdk = (name: string, ...paths: readonly string[]) =>
  withoutComments(paths.map((path) => declarations(name, path)).join('\n'));

const CHAT = sdk('openai', 'resources/chat/completions/completions.d.ts', 'resources/shared.d.ts');
const RESPONSES = sdk('openai', 'resources/responses/responses.d.ts', 'resources/shared.d.ts');
const BETA_RESPONSES = sdk('openai', 'resources/beta/responses/responses.d.ts', 'resources/shared.d.ts');
const MESSAGES = sdk('@anthropic-ai/sdk', 'resources/messages/messages.d.ts');
const ALL_MESSAGES = sdk('@anthropic-ai/sdk', 'resources/beta/messages/messages.d.ts');

/** Requests, and what clients send back of answers. */
const DECLARED: readonly (readonly [type: string, text: string, api: string, judged: Judged])[] = [
  ['ChatCompletionCreateParamsBase', CHAT, 'chat', { members: CHAT_FIELDS }],
  ['ChatCompletionMessage', CHAT, 'chat', { members: chat.MESSAGE_MEMBERS }],
  ['ResponseCreateParamsBase', RESPONSES, 'responses', { members: RESPONSES_FIELDS }],
  ['ResponseCreateParamsBase', BETA_RESPONSES, 'responses', { members: RESPONSES_FIELDS }],
  ['ResponseInputItem', RESPONSES, 'responses', { members: item.ITEM_MEMBERS, types: item.ITEM_TYPES }],
  ['ResponseOutputItem', RESPONSES, 'responses', { members: item.ITEM_MEMBERS, types: item.ITEM_TYPES }],
  ['BetaResponseInputItem', BETA_RESPONSES, 'responses', { members: item.ITEM_MEMBERS, types: item.ITEM_TYPES }],
  ['BetaResponseOutputItem', BETA_RESPONSES, 'responses', { members: item.ITEM_MEMBERS, types: item.ITEM_TYPES }],
  ['MessageCreateParamsBase', MESSAGES, 'messages', { members: MESSAGES_FIELDS }],
  ['MessageCreateParamsBase', ALL_MESSAGES, 'messages', { members: MESSAGES_FIELDS }],
  ['BetaContentBlock', ALL_MESSAGES, 'messages', JUDGED_BLOCKS],
];

test.each(DECLARED)(
  'each member and type of object below the fields of %s has been judged',
  (type, text, api, root) => {
    const seen = new Set<string>();
    const unjudged: string[] = [];
    const walk = (of: string, { members, types, but }: Judged): void => {
      for (const [name, body] of interfacesIn(text, of)) {
        if (seen.has(`${name} ${[...members.byName.keys()].join()}`) || but?.test(name) === true) continue;
        seen.add(`${name} ${[...members.byName.keys()].join()}`);
        for (const member of declaredIn(body)) {
          const group = members.byName.get(member.name);
          if (group === undefined) {
            if (!HEADER_FIELDS.includes(member.name)) unjudged.push(`${name}.${member.name}`);
            continue;
          }
          const below = group.verdict === 'priced' ? BELOW[api]?.[member.name] : undefined;
          if (member.name === 'type' && types !== undefined) {
            const values = [...member.type.matchAll(/'([^']+)'/g)].map(([, value = '']) => value);
            unjudged.push(
              ...values.filter((value) => !types.byName.has(value)).map((value) => `${name}.type=${value}`),
            );
          } else if (below !== undefined) walk(member.type, below);
          else if (group.verdict === 'passes' && group.members !== undefined)
            walk(member.type, { members: group.members });
        }
      }
    };
    walk(type, root);
    expect(seen.size).toBeGreaterThan(3);
    expect(unjudged).toEqual([]);
  },
);

const AGENTS = join(import.meta.dirname, '../fixtures/agents');
const TABLES: readonly (readonly [path: RegExp, table: FieldTable])[] = [
  [/^\/v1\/messages/, MESSAGES_FIELDS],
  [/^\/v1\/responses/, RESPONSES_FIELDS],
  [/^\/v1\/chat\/completions/, CHAT_FIELDS],
];

type Reader = typeof readCountedRequest | typeof readResponsesRequest | typeof readChatRequest;
const READERS: readonly (readonly [path: RegExp, read: Reader])[] = [
  [/^\/v1\/messages/, readCountedRequest],
  [/^\/v1\/responses/, readResponsesRequest],
  [/^\/v1\/chat\/completions/, readChatRequest],
];

test('each member that recorded agents and SDKs have sent is known', () => {
  const readings = readdirSync(AGENTS).flatMap((name) => {
    const recorded = JSON.parse(readFileSync(join(AGENTS, name), 'utf8')) as { path?: string; body?: object | null };
    const read = READERS.find(([path]) => path.test(recorded.path ?? ''))?.[1];
    if (read === undefined || !Object.hasOwn(recorded.body ?? {}, 'model')) return [];
    const reading = read(Buffer.from(JSON.stringify(recorded.body)));
    return [[name, reading.ok ? reading.request.unknown : reading.fault]];
  });
  expect(readings.length).toBeGreaterThan(20);
  expect(readings.filter(([, unknown]) => !isDeepStrictEqual(unknown, []))).toEqual([]);
});

test('each field that recorded agents and SDKs have sent is known', () => {
  const unknown = readdirSync(AGENTS).flatMap((name) => {
    const recorded = JSON.parse(readFileSync(join(AGENTS, name), 'utf8')) as { path?: string; body?: object | null };
    const table = TABLES.find(([path]) => path.test(recorded.path ?? ''))?.[1];
    return Object.keys(recorded.body ?? {}).filter((field) => table?.byName.has(field) === false);
  });
  expect(unknown).toEqual([]);
});
