import type { Writable } from '../json-text.ts';
import type { JsonView } from '../json-view.ts';
import { elementsAt, objectAt, stringAt, textAt, unfit } from './unfit-request.ts';

// Converts tools to function declarations, and the caller's choice of them to a function calling config.

/** A request's settings of tools, each member undefined if it has none. */
export interface ToolFields {
  readonly tools: JsonView | undefined;
  readonly toolChoice: JsonView | undefined;
  readonly parallelToolCalls: JsonView | undefined;
}

/** Members of a request to Gemini. */
export interface TranslatedTools {
  readonly tools: Writable | undefined;
  readonly toolConfig: Writable | undefined;
}

interface CallingConfig {
  readonly mode: 'AUTO' | 'ANY' | 'NONE' | 'VALIDATED';
  readonly allowedFunctionNames?: readonly string[];
}

/** The tools of a request. */
export function translateTools({ tools, toolChoice, parallelToolCalls }: ToolFields): TranslatedTools {
  const views = tools === undefined ? [] : elementsAt(tools, 'tools');
  if (views.length === 0) {
    const choice = toolChoice?.text() ?? 'auto';
    if (toolChoice !== undefined && choice !== 'none' && choice !== 'auto') {
      unfit('tool_choice', "'tool_choice' is only allowed where there are tools.");
    }
    return { tools: undefined, toolConfig: undefined };
  }
  if (parallelToolCalls !== undefined && parallelToolCalls.kind !== 'boolean' && parallelToolCalls.kind !== 'null') {
    unfit('parallel_tool_calls', "'parallel_tool_calls' must be true or false.");
  }
  const functions = views.map((tool, index) => functionOf(tool, `tools[${index}]`));
  const isStrict = functions.some((each) => each.get('strict')?.isTrue() ?? false);
  const config = callingConfigOf(toolChoice, isStrict);
  return {
    tools: [{ functionDeclarations: functions.map((each, index) => declarationOf(each, `tools[${index}].function`)) }],
    toolConfig: config === null ? undefined : { functionCallingConfig: { ...config } },
  };
}

function functionOf(tool: JsonView, param: string): JsonView {
  const type = objectAt(tool, param).get('type')?.text() ?? 'function';
  if (type !== 'function')
    unfit(`${param}.type`, `'${param}.type' must be function: this model's provider has no other tools.`);
  return objectAt(tool.get('function'), `${param}.function`);
}

function declarationOf(view: JsonView, param: string): Writable {
  const parameters = view.get('parameters');
  const description = view.get('description');
  return {
    name: stringAt(view.get('name'), `${param}.name`),
    description: description && stringAt(description, `${param}.description`),
    parametersJsonSchema: parameters && objectAt(parameters, `${param}.parameters`),
  };
}

/** The mode of function calls; null leaves it to the model. VALIDATED restricts optional calls to their schemas. */
function callingConfigOf(choice: JsonView | undefined, isStrict: boolean): CallingConfig | null {
  const free = isStrict ? 'VALIDATED' : 'AUTO';
  if (choice === undefined) return isStrict ? { mode: free } : null;
  switch (choice.text() ?? choice.get('type')?.text()) {
    case 'auto':
      return { mode: free };
    case 'none':
      return { mode: 'NONE' };
    case 'required':
      return { mode: 'ANY' };
    case 'function':
      return {
        mode: 'ANY',
        allowedFunctionNames: [textAt(choice.get('function')?.get('name'), 'tool_choice.function.name')],
      };
    case 'allowed_tools':
      return allowedOf(objectAt(choice.get('allowed_tools'), 'tool_choice.allowed_tools'));
    default:
      return unfit(
        'tool_choice',
        "'tool_choice' must be none, auto, required, a function or allowed_tools: this model's provider has no other choice.",
      );
  }
}

function allowedOf(allowed: JsonView): CallingConfig {
  const param = 'tool_choice.allowed_tools';
  const list = allowed.get('tools');
  const names = (list === undefined ? [] : elementsAt(list, `${param}.tools`)).map((tool, index) =>
    textAt(tool.get('function')?.get('name'), `${param}.tools[${index}].function.name`),
  );
  const mode = textAt(allowed.get('mode'), `${param}.mode`);
  if (mode !== 'auto' && mode !== 'required') unfit(`${param}.mode`, `'${param}.mode' must be auto or required.`);
  // Names are only heeded by the modes that hold the model to them.
  return { mode: mode === 'required' ? 'ANY' : 'VALIDATED', allowedFunctionNames: names };
}
