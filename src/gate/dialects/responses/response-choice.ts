import type { Choice, ToolCall } from '../../openai/chat-choices.ts';
import { NameTable } from '../../openai/json-names.ts';
import { JsonScan } from '../../openai/json-scan.ts';
import type { ChoiceGatherer, ChoiceReading } from '../dialect.ts';

// A provider's response, converted to a choice of chat for review.

const RESPONSE_NAMES = new NameTable(['status', 'output']);
const STATUSES = new NameTable(['incomplete']);
const ITEM_NAMES = new NameTable(['type', 'content', 'name', 'arguments']);
const PART_NAMES = new NameTable(['type', 'text', 'refusal']);
const EVENT_NAMES = new NameTable(['type', 'delta', 'text', 'part', 'item', 'response']);

/** Items with the model's output, and those that its caller must answer before it continues. */
const ITEM_TYPES = new NameTable([
  'message',
  'function_call',
  'custom_tool_call',
  'computer_call',
  'local_shell_call',
  'shell_call',
  'apply_patch_call',
  'mcp_approval_request',
]);
const PART_TYPES = new NameTable(['output_text', 'refusal']);

const EVENT_TYPES = new NameTable([
  'response.output_text.delta',
  'response.refusal.delta',
  'response.output_text.done',
  'response.content_part.done',
  'response.output_item.done',
  'response.completed',
  'response.incomplete',
]);

/** More structure than a model's output has. A response with more counts as empty. */
const STRUCTURE_MAX = 4_000_000;

/** The content of an output's items. */
interface Said {
  readonly texts: string[];
  readonly calls: ToolCall[];
  isRefusal: boolean;
  isCutOff: boolean;
}

export const RESPONSE_CHOICE: ChoiceReading = {
  ofAnswer(answer) {
    const scan = new JsonScan(answer, STRUCTURE_MAX);
    const said = nothingSaid();
    readResponse(scan, said);
    return scan.finish() ? choiceOf(said, said.texts.join('')) : choiceOf(nothingSaid(), '');
  },
  ofStream: () => new StreamedChoice(),
};

/**
 * The choice of a stream. Some clients join the pieces of its text, some use texts, parts or items when they are done,
 * some the response at the end, which some servers leave empty.
 */
class StreamedChoice implements ChoiceGatherer {
  readonly #pieces: string[] = [];
  readonly #texts: string[] = [];
  readonly #parts = nothingSaid();
  readonly #items = nothingSaid();
  readonly #end = nothingSaid();

  add(payload: Buffer): void {
    const scan = new JsonScan(payload, STRUCTURE_MAX);
    let type: string | undefined;
    const written = { delta: '', text: '' };
    if (!scan.enterObject()) return;
    while (scan.nextMember()) {
      const name = scan.keyIn(EVENT_NAMES);
      if (name === 'type' && scan.kind() === 'string') type = scan.stringIn(EVENT_TYPES);
      else if ((name === 'delta' || name === 'text') && scan.kind() === 'string') written[name] = scan.string();
      else scan.skip();
    }
    if (type === 'response.output_text.delta') this.#pieces.push(written.delta);
    else if (type === 'response.output_text.done') this.#texts.push(written.text);
    else if (type === 'response.content_part.done') readMember(payload, 'part', (part) => readPart(part, this.#parts));
    else if (type === 'response.refusal.delta') this.#items.isRefusal = true;
    else if (type === 'response.output_item.done') readMember(payload, 'item', (item) => readItem(item, this.#items));
    else if (type !== undefined) readMember(payload, 'response', (response) => readResponse(response, this.#end));
  }

  choices(): readonly Choice[] {
    const [items, end] = [this.#items, this.#end];
    const said: Said = {
      texts: end.texts.length > items.texts.length ? end.texts : items.texts,
      calls: [...items.calls, ...end.calls],
      isRefusal: items.isRefusal || end.isRefusal,
      isCutOff: end.isCutOff,
    };
    const accounts = [this.#pieces, this.#texts, this.#parts.texts, items.texts, end.texts];
    const texts = new Set(accounts.map((pieces) => pieces.join('')).filter((text) => text !== ''));
    return texts.size === 0 ? [choiceOf(said, '')] : [...texts].map((text) => choiceOf(said, text));
  }
}

function nothingSaid(): Said {
  return { texts: [], calls: [], isRefusal: false, isCutOff: false };
}

function choiceOf({ texts, calls, isRefusal, isCutOff }: Said, text: string): Choice {
  return {
    content: text === '' ? null : text,
    isInParts: texts.length > 1,
    calls,
    isRefusal,
    // The answer itself says why it was cut off.
    finishReason: isCutOff ? 'length' : 'stop',
  };
}

/** Reads this member of an event; the event's type may follow it. */
function readMember(payload: Buffer, member: 'part' | 'item' | 'response', read: (scan: JsonScan) => void): void {
  const scan = new JsonScan(payload, STRUCTURE_MAX);
  if (!scan.enterObject()) return;
  while (scan.nextMember()) {
    if (scan.keyIn(EVENT_NAMES) === member) read(scan);
    else scan.skip();
  }
}

function readResponse(scan: JsonScan, said: Said): void {
  if (!scan.enterObject()) return scan.skip();
  while (scan.nextMember()) {
    const name = scan.keyIn(RESPONSE_NAMES);
    if (name === 'status' && scan.kind() === 'string') said.isCutOff = scan.stringIn(STATUSES) !== undefined;
    else if (name === 'output' && scan.enterArray()) while (scan.nextElement()) readItem(scan, said);
    else scan.skip();
  }
}

function readItem(scan: JsonScan, said: Said): void {
  const item = nothingSaid();
  let type: string | undefined;
  const call = { name: '', arguments: '' };
  if (!scan.enterObject()) return scan.skip();
  while (scan.nextMember()) {
    const name = scan.keyIn(ITEM_NAMES);
    if (name === 'type' && scan.kind() === 'string') type = scan.stringIn(ITEM_TYPES);
    else if ((name === 'name' || name === 'arguments') && scan.kind() === 'string') call[name] = scan.string();
    else if (name === 'content' && scan.enterArray()) while (scan.nextElement()) readPart(scan, item);
    else scan.skip();
  }
  if (type === 'message') {
    said.texts.push(...item.texts);
    said.isRefusal ||= item.isRefusal;
  } else if (type !== undefined) said.calls.push(call);
}

function readPart(scan: JsonScan, said: Said): void {
  let type: string | undefined;
  let text = '';
  let refusal = '';
  if (!scan.enterObject()) return scan.skip();
  while (scan.nextMember()) {
    const name = scan.keyIn(PART_NAMES);
    if (name === 'text') text = '';
    if (name === undefined || scan.kind() !== 'string') scan.skip();
    else if (name === 'type') type = scan.stringIn(PART_TYPES);
    else if (name === 'text') text = scan.string();
    else refusal = scan.string();
  }
  // Clients treat even a missing text, such as null, as a text.
  if (type === 'output_text') said.texts.push(text);
  if (type === 'refusal' && refusal !== '') said.isRefusal = true;
}
