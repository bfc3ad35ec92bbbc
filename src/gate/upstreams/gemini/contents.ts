import type { Writable } from '../json-text.ts';
import { JsonView } from '../json-view.ts';
import { translatePart } from './media-parts.ts';
import { elementsAt, objectAt, stringAt, textAt, unfit } from './unfit-request.ts';

// Converts OpenAI's messages to Gemini's contents: two alternating roles, separate system instructions, and all
// results of a turn's calls together in the next turn.

/** Google's documented value for calls with an unknown signature: from another model, or lost by their client. */
const UNKNOWN_SIGNATURE = 'skip_thought_signature_validator';

export interface Conversation {
  /** Undefined if there are no system messages. */
  readonly systemInstruction: Writable | undefined;
  readonly contents: readonly Writable[];
}

interface Call {
  readonly id: string;
  readonly name: string;
}

/** The conversation of `messages`. `needsSignatures`: the model refuses calls without a thought signature. */
export function translateMessages(messages: readonly JsonView[], needsSignatures: boolean): Conversation {
  const system: Writable[] = [];
  const contents: Writable[] = [];
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index] as JsonView;
    const param = `messages[${index}]`;
    const role = textAt(message.get('role'), `${param}.role`);
    if (role === 'system' || role === 'developer') {
      system.push(...textParts(message.get('content'), `${param}.content`));
    } else if (role === 'user') {
      contents.push({ role: 'user', parts: userParts(message.get('content'), `${param}.content`) });
    } else if (role === 'assistant') {
      const { parts, calls } = modelTurn(message, param, needsSignatures);
      if (parts.length > 0) contents.push({ role: 'model', parts });
      if (calls.length === 0) continue;
      const answers = messages.slice(index + 1, index + 1 + calls.length);
      contents.push({ role: 'user', parts: answersTo(calls, answers, index) });
      index += calls.length;
    } else if (role === 'tool') {
      unfit(param, `'${param}' answers no call of the assistant's message before it.`);
    } else {
      unfit(`${param}.role`, `'${param}.role' must be system, developer, user, assistant or tool.`);
    }
  }
  if (contents.length === 0)
    unfit('messages', "'messages' must have at least one message of the user or the assistant.");
  return { systemInstruction: system.length === 0 ? undefined : { parts: system }, contents };
}

/** Content that can only be text: a string, or an array of text parts. */
function textParts(content: JsonView | undefined, param: string): { readonly text: JsonView }[] {
  if (content === undefined) return [];
  if (content.kind === 'string') return [{ text: content }];
  return elementsAt(content, param).map((part, index) => {
    const where = `${param}[${index}]`;
    const type = textAt(objectAt(part, where).get('type'), `${where}.type`);
    if (type !== 'text' && type !== 'refusal') {
      return unfit(where, `'${where}' must be text: this model's provider takes nothing else in this role.`);
    }
    return { text: stringAt(part.get(type), `${where}.${type}`) };
  });
}

function userParts(content: JsonView | undefined, param: string): Writable[] {
  if (content?.kind === 'string') return [{ text: content }];
  if (content === undefined) return unfit(param, `'${param}' must be a string or an array of parts.`);
  return elementsAt(content, param).map((part, index) => translatePart(part, `${param}[${index}]`));
}

/** The assistant's texts and calls; no part if it has neither. */
function modelTurn(message: JsonView, param: string, needsSignatures: boolean): { parts: Writable[]; calls: Call[] } {
  if (message.get('function_call') !== undefined) {
    unfit(`${param}.function_call`, `'${param}.function_call' is not supported here: use tool_calls.`);
  }
  const texts: Writable[] = [
    ...textParts(message.get('content'), `${param}.content`),
    ...textParts(message.get('refusal'), `${param}.refusal`),
  ].filter(({ text }) => text.text() !== '');
  const signature = signatureOf(message);
  if (signature !== undefined) texts.push({ text: '', thoughtSignature: signature });
  const list = message.get('tool_calls');
  const views = list === undefined ? [] : elementsAt(list, `${param}.tool_calls`);
  const isSigned = !needsSignatures || views.some((view) => signatureOf(view) !== undefined);
  const calls: Call[] = [];
  const parts = views.map((view, index) => {
    const where = `${param}.tool_calls[${index}]`;
    const call = { id: textAt(view.get('id'), `${where}.id`), name: nameOf(view, where) };
    calls.push(call);
    // A turn of several calls has one signature, on the first of them.
    const unsigned = index === 0 && !isSigned ? UNKNOWN_SIGNATURE : undefined;
    return {
      functionCall: { ...call, args: argumentsOf(view, `${where}.function.arguments`) },
      thoughtSignature: signatureOf(view) ?? unsigned,
    };
  });
  return { parts: [...texts, ...parts], calls };
}

function nameOf(call: JsonView, param: string): string {
  const type = call.get('type')?.text() ?? 'function';
  if (type !== 'function')
    unfit(param, `'${param}' must be the call of a function: custom tools are not supported here.`);
  return textAt(call.get('function')?.get('name'), `${param}.function.name`);
}

function argumentsOf(call: JsonView, param: string): Writable {
  const text = textAt(call.get('function')?.get('arguments'), param);
  if (text.trim() === '') return {};
  const args = JsonView.of(Buffer.from(text));
  return args?.kind === 'object' ? args : unfit(param, `'${param}' must be a JSON object, as a string.`);
}

/** The thought signature of an earlier answer, if the client has kept it. */
function signatureOf(message: JsonView): JsonView | undefined {
  const signature = message.get('extra_content')?.get('google')?.get('thought_signature');
  return signature?.kind === 'string' ? signature : undefined;
}

/** One answer for each call, in the order of the calls; `turn` is the index of the message that made them. */
function answersTo(calls: readonly Call[], messages: readonly JsonView[], turn: number): Writable[] {
  const answers = new Map<string, Writable>();
  for (const [offset, message] of messages.entries()) {
    if (message.get('role')?.text() !== 'tool') break;
    const param = `messages[${turn + 1 + offset}]`;
    const id = textAt(message.get('tool_call_id'), `${param}.tool_call_id`);
    const call = calls.find((each) => each.id === id);
    if (call === undefined || answers.has(id)) {
      unfit(`${param}.tool_call_id`, `'${param}.tool_call_id' must name a call of messages[${turn}], each one once.`);
    }
    answers.set(id, { functionResponse: { ...call, response: responseOf(message, `${param}.content`) } });
  }
  return calls.map(
    ({ id }, index) =>
      answers.get(id) ??
      unfit(
        `messages[${turn}].tool_calls[${index}]`,
        `'messages[${turn}].tool_calls[${index}]' must be answered by a tool message right after the assistant's.`,
      ),
  );
}

/** A tool's result: a JSON object unchanged, anything else as text. */
function responseOf(message: JsonView, param: string): Writable {
  const parts = textParts(message.get('content'), param);
  const text = parts.map((part) => part.text.text()).join('');
  const object = JsonView.of(Buffer.from(text));
  return object?.kind === 'object' ? object : { output: text };
}
