import { COMPLETIONS_FIELDS } from '../../src/gate/dialects/completions/completions-fields.ts';
import { MESSAGES_FIELDS } from '../../src/gate/dialects/messages/messages-fields.ts';
import { RESPONSES_FIELDS } from '../../src/gate/dialects/responses/responses-fields.ts';
import * as block from '../../src/gate/dialects/messages/message-members.ts';
import * as item from '../../src/gate/dialects/responses/response-members.ts';
import { CHAT_FIELDS } from '../../src/gate/openai/chat-fields.ts';
import * as chat from '../../src/gate/openai/chat-members.ts';
import { EMBEDDINGS_FIELDS } from '../../src/gate/dialects/embeddings/embeddings-fields.ts';
import {
  IMAGE_MEMBERS,
  MODERATIONS_FIELDS,
  PART_MEMBERS,
} from '../../src/gate/dialects/moderations/moderations-fields.ts';
import { DOCUMENT_MEMBERS, RERANK_FIELDS } from '../../src/gate/dialects/rerank/rerank-fields.ts';
import type { FieldGroup, FieldTable } from '../../src/gate/openai/known-fields.ts';

// The tables of docs/fields.md, made of those by which bodies are read.

const VERDICTS = ['priced', 'passes', 'refused'] as const;

function code(text: string): string {
  return `\`${text}\``;
}

function verdictOf(group: FieldGroup): string {
  if (group.verdict !== 'refused') return group.verdict;
  const { values } = group;
  return values === undefined
    ? 'refused'
    : `refused, but for ${values.map((each) => code(JSON.stringify(each))).join(', ')}`;
}

/** Its groups, and those of the members of its fields, by paths. */
function groupsOf({ groups }: FieldTable, path: string): readonly FieldGroup[] {
  return groups.flatMap((group) => {
    const named = { ...group, names: group.names.map((name) => `${path}${name}`) };
    const members = group.verdict === 'passes' ? group.members : undefined;
    return members === undefined ? [named] : [named, ...named.names.flatMap((name) => groupsOf(members, `${name}.`))];
  });
}

/** A row for all fields of one verdict and reason. */
function rowsOf(table: FieldTable, path: string): readonly string[] {
  const groups = groupsOf(table, path);
  const rows = new Map<string, string[]>();
  for (const verdict of VERDICTS) {
    for (const group of groups) {
      if (group.verdict !== verdict) continue;
      const cells = `| ${verdictOf(group)} | ${group.reason} |`;
      rows.set(cells, [...(rows.get(cells) ?? []), ...group.names]);
    }
  }
  return [...rows].map(([cells, names]) => `| ${names.map(code).join(', ')} ${cells}`);
}

/** Members of objects that are read, by their paths. */
const MEMBERS_OF_CHAT = {
  stream_options: chat.STREAM_OPTIONS_MEMBERS,
  messages: chat.MESSAGE_MEMBERS,
  'messages.content': chat.PART_MEMBERS,
  'messages.content.type': chat.PART_TYPES,
  'messages.content.PART': chat.MEDIA_MEMBERS,
  tools: chat.TOOL_MEMBERS,
  'tools.function': chat.TOOL_FUNCTION_MEMBERS,
  functions: chat.FUNCTION_MEMBERS,
  response_format: chat.RESPONSE_FORMAT_MEMBERS,
  'response_format.json_schema': chat.JSON_SCHEMA_MEMBERS,
  web_search_options: chat.SEARCH_MEMBERS,
  prediction: chat.PREDICTION_MEMBERS,
};

const MEMBERS_OF_MESSAGES = {
  messages: block.MESSAGE_MEMBERS,
  'messages.content': block.BLOCK_MEMBERS,
  'messages.content.type': block.BLOCK_TYPES,
  'messages.content.source': block.SOURCE_MEMBERS,
  'messages.content.source.type': block.SOURCE_TYPES,
  'messages.content.tool': block.REFERENCE_MEMBERS,
  tools: block.TOOL_MEMBERS,
  tool_choice: block.CHOICE_MEMBERS,
  thinking: block.THINKING_MEMBERS,
  output_config: block.OUTPUT_MEMBERS,
  'output_config.format': block.FORMAT_MEMBERS,
  'context_management.edits': block.EDIT_MEMBERS,
};

const MEMBERS_OF_RESPONSES = {
  input: item.ITEM_MEMBERS,
  'input.type': item.ITEM_TYPES,
  'input.content': item.PART_MEMBERS,
  'input.content.type': item.PART_TYPES,
  'input.content.input_audio': item.AUDIO_MEMBERS,
  tools: item.TOOL_MEMBERS,
  tool_choice: item.CHOICE_MEMBERS,
  text: item.TEXT_MEMBERS,
  'text.format': item.FORMAT_MEMBERS,
};

type TablesByPath = Readonly<Record<string, FieldTable>>;

/** A table of the fields, and of the members below them. Values of a type stand behind its name. */
function tableOf(fields: FieldTable, members: TablesByPath = {}): string {
  const below = Object.entries(members).flatMap(([path, table]) =>
    rowsOf(table, path.endsWith('.type') ? `${path}=` : `${path}.`),
  );
  return ['| Fields | | Why |', '|---|---|---|', ...rowsOf(fields, ''), ...below].join('\n');
}

/** The tables by the headings under which they stand. */
export const FIELD_TABLES: Readonly<Record<string, string>> = {
  'Chat completions': tableOf(CHAT_FIELDS, MEMBERS_OF_CHAT),
  Messages: tableOf(MESSAGES_FIELDS, MEMBERS_OF_MESSAGES),
  Responses: tableOf(RESPONSES_FIELDS, MEMBERS_OF_RESPONSES),
  'Legacy completions': tableOf(COMPLETIONS_FIELDS),
  Embeddings: tableOf(EMBEDDINGS_FIELDS),
  Rerank: tableOf(RERANK_FIELDS, { documents: DOCUMENT_MEMBERS }),
  Moderations: tableOf(MODERATIONS_FIELDS, { input: PART_MEMBERS, 'input.image_url': IMAGE_MEMBERS }),
};

/** A document with the tables that its headings name. */
export function withTables(text: string): string {
  const filled = Object.entries(FIELD_TABLES).reduce(
    (document, [heading, table]) =>
      document.replace(
        new RegExp(`(\n## ${heading}\n\n)(?:\\|[^\n]*\n)*\n*`),
        (_match, head: string) => `${head}${table}\n\n`,
      ),
    text,
  );
  return `${filled.trimEnd()}\n`;
}
