import { isObject, type JsonObject } from '../../openai/json-object.ts';
import { Untranslatable } from '../../openai/untranslatable.ts';
import { untranslatable } from './chat-parts.ts';
import { CALLERS_TOOLS } from './message-tools.ts';
import type { Notes } from './translation-notes.ts';

// Converts the caller's tools, and how the model should use them, to functions.

/** Members of a tool, other than its name, description and schema, that a model doesn't need. */
const HINTS: ReadonlySet<string> = new Set([
  'type',
  'name',
  'description',
  'input_schema',
  'strict',
  'cache_control',
  'defer_loading',
  'eager_input_streaming',
  'input_examples',
]);

/** The fields about tools. @throws Untranslatable */
export function chatTools(body: JsonObject, notes: Notes): JsonObject {
  const offered: readonly unknown[] = Array.isArray(body['tools']) ? body['tools'] : [];
  const found = namesFound(body['messages']);
  const tools = offered.flatMap((tool, index) => toolOf(tool, `tools[${index}]`, found, notes));
  if (tools.length === 0) return {};
  return { tools, ...choiceOf(body['tool_choice']) };
}

/** A tool whose definition is loaded later is offered once a search has found it. */
function namesFound(messages: unknown): ReadonlySet<unknown> {
  const names = new Set<unknown>();
  const collect = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) collect(each);
    else if (isObject(value)) {
      if (value['type'] === 'tool_reference') names.add(value['tool_name']);
      collect(value['content']);
    }
  };
  collect(messages);
  return names;
}

function toolOf(value: unknown, where: string, found: ReadonlySet<unknown>, notes: Notes): readonly object[] {
  const tool = isObject(value) ? value : {};
  const { type, name, description, input_schema: schema, strict } = tool;
  // It has been recorded as removed.
  if (typeof type === 'string' && !CALLERS_TOOLS.test(type)) return [];
  if (type !== undefined && type !== 'custom') throw untranslatable(`${where}.type`, 'is a tool of a type');
  if (typeof name !== 'string') throw new Untranslatable(`${where}.name`, `'${where}.name' must be a string.`);
  if (tool['defer_loading'] === true && !found.has(name)) {
    notes.leaveOut(/^[\w-]{1,64}$/.test(name) ? `tool ${name}` : where);
    return [];
  }
  for (const field of Object.keys(tool)) {
    if (!HINTS.has(field)) notes.leaveOut(/^\w{1,64}$/.test(field) ? `tool ${field}` : where);
  }
  const definition = {
    name,
    ...(typeof description === 'string' ? { description } : {}),
    ...(isObject(schema) ? { parameters: schema } : {}),
    ...(typeof strict === 'boolean' ? { strict } : {}),
  };
  return [{ type: 'function', function: definition, ...notes.cacheMark(tool) }];
}

function choiceOf(value: unknown): JsonObject {
  if (!isObject(value)) return {};
  const { type, name, disable_parallel_tool_use: isSingle } = value;
  const single = isSingle === true ? { parallel_tool_calls: false } : {};
  switch (type) {
    case 'auto':
      return { tool_choice: 'auto', ...single };
    case 'any':
      return { tool_choice: 'required', ...single };
    case 'none':
      return { tool_choice: 'none' };
    case 'tool':
      return { tool_choice: { type: 'function', function: { name } }, ...single };
    default:
      throw untranslatable('tool_choice.type', 'is a choice');
  }
}
