import { isObject, type JsonObject } from '../../openai/json-object.ts';
import { readCacheControl } from './cache-control.ts';
import { enforceableSchema } from './output-schema.ts';
import { Untranslatable } from '../../openai/untranslatable.ts';
import type { Tool, ToolChoice, Turn } from './wire.ts';

// Converts the caller's functions, and how the model should use them.

export interface ToolSettings {
  readonly tools?: readonly Tool[];
  readonly tool_choice?: ToolChoice;
}

/** Anthropic's schemas are object schemas with an explicit type. */
function inputSchema(parameters: unknown): JsonObject {
  if (!isObject(parameters)) return { type: 'object', properties: {} };
  return parameters['type'] === undefined ? { type: 'object', ...parameters } : parameters;
}

function readTool(value: unknown, where: string): Tool {
  const definition = isObject(value) ? value['function'] : undefined;
  if (!isObject(value) || !isObject(definition) || typeof definition['name'] !== 'string') {
    throw new Untranslatable(where, `'${where}' must be a function with a name: this model knows no other tools.`);
  }
  const { name, description, parameters, strict } = definition;
  const schema = inputSchema(parameters);
  const enforced = strict === true ? enforceableSchema(schema) : null;
  const control = readCacheControl(value['cache_control'], `${where}.cache_control`);
  return {
    name,
    ...(typeof description === 'string' ? { description } : {}),
    input_schema: enforced ?? schema,
    ...(enforced === null ? {} : { strict: true as const }),
    ...(control === null ? {} : { cache_control: control }),
  };
}

/** The names of `tool_choice.allowed_tools`, and whether one of them must be called; null for any other choice. */
function allowedTools(choice: unknown): { readonly names: ReadonlySet<unknown>; readonly required: boolean } | null {
  const allowed = isObject(choice) && choice['type'] === 'allowed_tools' ? choice['allowed_tools'] : null;
  if (!isObject(allowed)) return null;
  const tools = Array.isArray(allowed['tools']) ? (allowed['tools'] as readonly unknown[]) : [];
  const names = tools.map((tool) =>
    isObject(tool) && isObject(tool['function']) ? tool['function']['name'] : undefined,
  );
  return { names: new Set(names), required: allowed['mode'] === 'required' };
}

function readChoice(choice: unknown, isSingle: boolean): ToolChoice | null {
  const single = isSingle ? ({ disable_parallel_tool_use: true } as const) : {};
  if (choice === undefined || choice === null) return isSingle ? { type: 'auto', ...single } : null;
  if (choice === 'none') return { type: 'none' };
  if (choice === 'auto') return { type: 'auto', ...single };
  if (choice === 'required') return { type: 'any', ...single };
  const allowed = allowedTools(choice);
  if (allowed !== null) return { type: allowed.required ? 'any' : 'auto', ...single };
  const named = isObject(choice) && isObject(choice['function']) ? choice['function']['name'] : undefined;
  if (typeof named === 'string') return { type: 'tool', name: named, ...single };
  throw new Untranslatable(
    'tool_choice',
    "'tool_choice' must be none, auto, required, a function or allowed_tools for this model.",
  );
}

/** Tools that were called earlier and are no longer offered: the API requires a definition for each call's tool. */
function formerTools(turns: readonly Turn[]): ToolSettings {
  const calls = turns.flatMap((turn) => (turn.role === 'assistant' ? turn.content : []));
  const names = new Set(calls.filter((block) => block.type === 'tool_use').map((block) => block.name));
  if (names.size === 0) return {};
  const tools = Array.from(names, (name): Tool => ({ name, input_schema: { type: 'object' } }));
  return { tools, tool_choice: { type: 'none' } };
}

/** Translates `tools`, `tool_choice` and `parallel_tool_calls`. @throws Untranslatable */
export function readTools(body: JsonObject, turns: readonly Turn[]): ToolSettings {
  const { tools: values, tool_choice: choice, parallel_tool_calls: isParallel } = body;
  const offered = (Array.isArray(values) ? (values as readonly unknown[]) : []).map((value, index) =>
    readTool(value, `tools[${index}]`),
  );
  const allowed = allowedTools(choice);
  const tools = allowed === null ? offered : offered.filter((tool) => allowed.names.has(tool.name));
  if (tools.length === 0) return formerTools(turns);
  const toolChoice = readChoice(choice, isParallel === false);
  return toolChoice === null ? { tools } : { tools, tool_choice: toolChoice };
}
