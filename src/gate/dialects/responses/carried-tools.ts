import { isObject, type JsonObject } from '../../openai/json-object.ts';
import { Untranslatable } from '../../openai/untranslatable.ts';

// Converts tools of a Responses request to functions of a chat request. Chat has functions only, and no namespaces: a
// custom tool becomes a function with one text, and a function of a namespace gets the namespace into its name. Calls
// of the model are mapped back by that name.

/** The caller's tool for a function of the chat request. */
export interface CarriedTool {
  readonly kind: 'function' | 'custom';
  readonly name: string;
  readonly namespace: string | null;
}

export interface CarriedTools {
  /** The chat request's `tools`; empty if there are none. */
  readonly functions: readonly JsonObject[];
  /** The caller's tools by the names of their functions. */
  readonly byName: ReadonlyMap<string, CarriedTool>;
  /** Types of tools on offer that only the provider itself could run, and that the model isn't offered. */
  readonly leftOut: readonly string[];
}

/** The longest function name that all providers accept. */
const NAME_MAX = 64;

/** Tools that run at the provider, or whose calls chat can't represent. The model just isn't offered them. */
const OPTIONAL_TYPES: ReadonlySet<string> = new Set([
  'web_search',
  'web_search_preview',
  'web_search_2025_08_26',
  'file_search',
  'code_interpreter',
  'image_generation',
  'computer',
  'computer_use_preview',
  'mcp',
  'tool_search',
  'local_shell',
  'shell',
  'apply_patch',
]);

/** The parameter of a custom tool's function. */
const INPUT = 'input';

class Collector {
  readonly functions: JsonObject[] = [];
  readonly byName = new Map<string, CarriedTool>();
  readonly leftOut = new Set<string>();

  add(value: unknown, where: string, namespace: string | null): void {
    if (!isObject(value)) throw new Untranslatable(where, `'${where}' must be an object with a type.`);
    const { type } = value;
    if (type === 'function') return this.#addFunction(value, where, namespace);
    if (type === 'custom') return this.#addCustom(value, where, namespace);
    if (type === 'namespace' && namespace === null) return this.#addNamespace(value, where);
    if (typeof type === 'string' && OPTIONAL_TYPES.has(type)) {
      this.leftOut.add(type);
      return undefined;
    }
    throw new Untranslatable(`${where}.type`, `'${where}' is a tool of a type that this model can't be given.`);
  }

  #addNamespace(value: JsonObject, where: string): void {
    const { tools } = value;
    if (!Array.isArray(tools))
      throw new Untranslatable(`${where}.tools`, `'${where}.tools' must be an array of tools.`);
    const name = nameOf(value, where);
    for (const [index, tool] of tools.entries()) this.add(tool, `${where}.tools[${index}]`, name);
  }

  #addFunction(value: JsonObject, where: string, namespace: string | null): void {
    const { description, parameters, strict } = value;
    this.#push({ kind: 'function', name: nameOf(value, where), namespace }, where, {
      ...(typeof description === 'string' ? { description } : {}),
      ...(isObject(parameters) ? { parameters } : {}),
      ...(strict === true ? { strict } : {}),
    });
  }

  #addCustom(value: JsonObject, where: string, namespace: string | null): void {
    const description = [value['description'], grammarNote(value['format'])].filter((text) => typeof text === 'string');
    this.#push({ kind: 'custom', name: nameOf(value, where), namespace }, where, {
      ...(description.length === 0 ? {} : { description: description.join('\n\n') }),
      parameters: {
        type: 'object',
        properties: { [INPUT]: { type: 'string' } },
        required: [INPUT],
        additionalProperties: false,
      },
    });
  }

  #push(tool: CarriedTool, where: string, rest: JsonObject): void {
    const name = chatName(tool);
    if (name.length > NAME_MAX) {
      throw new Untranslatable(
        `${where}.name`,
        `'${where}.name' is too long: with its namespace it must have at most ${NAME_MAX - 2} characters for this model.`,
      );
    }
    if (this.byName.has(name)) {
      throw new Untranslatable(`${where}.name`, `'${where}.name' is the name of another tool too; give each its own.`);
    }
    this.byName.set(name, tool);
    this.functions.push({ type: 'function', function: { name, ...rest } });
  }
}

/** The name that a tool has in the chat request. */
export function chatName({ name, namespace }: Pick<CarriedTool, 'name' | 'namespace'>): string {
  return namespace === null ? name : `${namespace}__${name}`;
}

/** Translates `tools`, and those within the input. @throws Untranslatable */
export function carryTools(lists: readonly { readonly tools: unknown; readonly where: string }[]): CarriedTools {
  const collector = new Collector();
  for (const { tools, where } of lists) {
    if (tools === undefined || tools === null) continue;
    if (!Array.isArray(tools)) throw new Untranslatable(where, `'${where}' must be an array of tools.`);
    for (const [index, tool] of tools.entries()) collector.add(tool, `${where}[${index}]`, null);
  }
  const { functions, byName, leftOut } = collector;
  return { functions, byName, leftOut: [...leftOut] };
}

/** Translates `tool_choice`; undefined if the model may choose as it likes. @throws Untranslatable */
export function carryToolChoice(choice: unknown, { functions, byName }: CarriedTools): unknown {
  if (choice === undefined || choice === null) return undefined;
  if (choice === 'none' || choice === 'auto') return functions.length === 0 ? undefined : choice;
  if (choice === 'required') {
    if (functions.length > 0) return choice;
    throw new Untranslatable(
      'tool_choice',
      "'tool_choice' demands a call, but this model can be given none of the tools.",
    );
  }
  const wanted = isObject(choice) ? choice : {};
  if (wanted['type'] === 'allowed_tools') return allowed(wanted, byName);
  return { type: 'function', function: { name: chosenName(wanted, 'tool_choice', byName) } };
}

function allowed(choice: JsonObject, byName: CarriedTools['byName']): JsonObject {
  const { tools, mode } = choice;
  if (!Array.isArray(tools)) throw new Untranslatable('tool_choice.tools', "'tool_choice.tools' must be an array.");
  const names = tools.map((tool: unknown, index) =>
    chosenName(isObject(tool) ? tool : {}, `tool_choice.tools[${index}]`, byName),
  );
  const functions = names.map((name) => ({ type: 'function', function: { name } }));
  return { type: 'allowed_tools', allowed_tools: { mode: mode === 'required' ? mode : 'auto', tools: functions } };
}

/** The chat name of a tool that must be callable. */
function chosenName(choice: JsonObject, where: string, byName: CarriedTools['byName']): string {
  const { type, name, namespace } = choice;
  if ((type === 'function' || type === 'custom') && typeof name === 'string') {
    const called = chatName({ name, namespace: typeof namespace === 'string' ? namespace : null });
    if (byName.has(called)) return called;
  }
  throw new Untranslatable(
    where,
    `'${where}' must name one of the request's functions or custom tools, for this model.`,
  );
}

/** The model's input to a custom tool: the text in its function's arguments, else the raw arguments. */
export function customInput(args: string): string {
  try {
    const parsed: unknown = JSON.parse(args);
    if (isObject(parsed) && typeof parsed[INPUT] === 'string') return parsed[INPUT];
  } catch {
    // Some models write the text itself instead of JSON.
  }
  return args;
}

/** The arguments of a custom tool's function for this input. */
export function customArguments(input: string): string {
  return JSON.stringify({ [INPUT]: input });
}

function nameOf({ name }: JsonObject, where: string): string {
  if (typeof name === 'string' && name !== '') return name;
  throw new Untranslatable(`${where}.name`, `'${where}.name' must be the tool's name.`);
}

/** A grammar that the provider would enforce, as a request to the model. */
function grammarNote(format: unknown): string | null {
  if (!isObject(format) || format['type'] !== 'grammar' || typeof format['definition'] !== 'string') return null;
  const syntax = typeof format['syntax'] === 'string' ? format['syntax'] : 'lark';
  return `The input must match this grammar (${syntax}):\n${format['definition']}`;
}
