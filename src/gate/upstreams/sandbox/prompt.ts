import { isObject, type JsonObject } from '../../openai/json-object.ts';

// A chat body as the sandbox's models read it. Unlike the gateway, a model may parse all of it.

/** A function that the caller offers, with the JSON schema of its arguments. */
export interface OfferedTool {
  readonly name: string;
  readonly parameters: unknown;
}

export interface Prompt {
  /** The text of the last user message, empty if there is none. */
  readonly userText: string;
  /** The text of the last message if it is a tool's result; null otherwise. */
  readonly toolResult: string | null;
  /** The function to call: the one that `tool_choice` names, else the first; null if none may be called. */
  readonly tool: OfferedTool | null;
  /** The schema in `response_format`; null if there is none. */
  readonly schema: unknown;
  /** `metadata.delay_ms`: the total duration of the answer; null if not set. */
  readonly delayMs: number | null;
  /** UTF-8 bytes of all messages' text. */
  readonly textBytes: number;
}

const DELAY_MS_MAX = 60_000;

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: unknown) => (isObject(part) && typeof part['text'] === 'string' ? part['text'] : ''))
    .join('');
}

function offeredTool(body: JsonObject): OfferedTool | null {
  const choice = body['tool_choice'];
  if (choice === 'none' || !Array.isArray(body['tools'])) return null;
  const named = isObject(choice) && isObject(choice['function']) ? choice['function']['name'] : undefined;
  for (const tool of body['tools'] as readonly unknown[]) {
    const offered = isObject(tool) ? tool['function'] : undefined;
    if (!isObject(offered) || typeof offered['name'] !== 'string') continue;
    if (named === undefined || offered['name'] === named) {
      return { name: offered['name'], parameters: offered['parameters'] ?? {} };
    }
  }
  return null;
}

function schemaOf(body: JsonObject): unknown {
  const format = body['response_format'];
  const described = isObject(format) ? format['json_schema'] : undefined;
  return isObject(described) ? (described['schema'] ?? null) : null;
}

function delayOf(body: JsonObject): number | null {
  const metadata = body['metadata'];
  const delay = isObject(metadata) ? Number(metadata['delay_ms'] ?? Number.NaN) : Number.NaN;
  return delay >= 0 && delay <= DELAY_MS_MAX ? delay : null;
}

/** Reads a chat body; null if it isn't a JSON object with messages. */
export function readPrompt(bytes: Buffer): Prompt | null {
  let body: unknown;
  try {
    body = JSON.parse(bytes.toString());
  } catch {
    return null;
  }
  if (!isObject(body) || !Array.isArray(body['messages'])) return null;
  const messages = (body['messages'] as readonly unknown[]).filter(isObject);
  const last = messages.at(-1);
  const lastOfUser = messages.findLast((message) => message['role'] === 'user');
  return {
    userText: textOf(lastOfUser?.['content']),
    toolResult: last?.['role'] === 'tool' ? textOf(last['content']) : null,
    tool: offeredTool(body),
    schema: schemaOf(body),
    delayMs: delayOf(body),
    textBytes: messages.reduce((sum, message) => sum + Buffer.byteLength(textOf(message['content'])), 0),
  };
}
