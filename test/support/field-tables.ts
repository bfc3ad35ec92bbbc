import { COMPLETIONS_FIELDS } from '../../src/dialects/completions/completions-fields.ts';
import { MESSAGES_FIELDS } from '../../src/dialects/messages/messages-fields.ts';
import { RESPONSES_FIELDS } from '../../src/dialects/responses/responses-fields.ts';
import { CHAT_FIELDS } from '../../src/openai/chat-fields.ts';
import { EMBEDDINGS_FIELDS } from '../../src/openai/embeddings-fields.ts';
import type { FieldGroup, FieldTable } from '../../src/openai/known-fields.ts';

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

/** A row for all fields of one verdict and reason. */
function rowsOf({ groups }: FieldTable): readonly string[] {
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

/** The tables by the headings under which they stand. */
export const FIELD_TABLES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    'Chat completions': CHAT_FIELDS,
    Messages: MESSAGES_FIELDS,
    Responses: RESPONSES_FIELDS,
    'Legacy completions': COMPLETIONS_FIELDS,
    Embeddings: EMBEDDINGS_FIELDS,
  }).map(([heading, table]) => [heading, ['| Fields | | Why |', '|---|---|---|', ...rowsOf(table)].join('\n')]),
);

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
