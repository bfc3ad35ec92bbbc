import type { Choice, ToolCall } from '../../openai/chat-choices.ts';
import { NameTable } from '../../openai/json-names.ts';
import { JsonScan } from '../../openai/json-scan.ts';
import type { ChoiceGatherer, ChoiceReading } from '../dialect.ts';
import { finishReasonOf } from './finish-reason.ts';

// A provider's message, converted to a choice of chat for review.

const MESSAGE_NAMES = new NameTable(['content', 'stop_reason']);
const BLOCK_NAMES = new NameTable(['type', 'text', 'name']);
const BLOCK_TYPES = new NameTable(['text', 'tool_use']);
const EVENT_NAMES = new NameTable(['message', 'content_block', 'delta']);
const DELTA_NAMES = new NameTable(['text', 'stop_reason']);

/** More structure than a model's output has. A message with more counts as empty. */
const STRUCTURE_MAX = 4_000_000;

export const MESSAGE_CHOICE: ChoiceReading = {
  ofAnswer(answer) {
    const said = new Said();
    const scan = new JsonScan(answer, STRUCTURE_MAX);
    said.readMessage(scan);
    return scan.finish() ? said.choice() : new Said().choice();
  },
  ofStream: () => new StreamedChoice(),
};

class StreamedChoice implements ChoiceGatherer {
  readonly #said = new Said();

  add(payload: Buffer): void {
    const scan = new JsonScan(payload, STRUCTURE_MAX);
    if (!scan.enterObject()) return;
    while (scan.nextMember()) {
      const name = scan.keyIn(EVENT_NAMES);
      if (name === 'message') this.#said.readMessage(scan);
      else if (name === 'content_block') this.#said.readBlock(scan);
      else if (name === 'delta') this.#said.readDelta(scan);
      else scan.skip();
    }
  }

  choices(): readonly Choice[] {
    return [this.#said.choice()];
  }
}

/** The content of a message's blocks. */
class Said {
  readonly #texts: string[][] = [];
  readonly #calls: ToolCall[] = [];
  #stopReason = '';

  /** A whole message, or the first part of one at the start of a stream. */
  readMessage(scan: JsonScan): void {
    if (!scan.enterObject()) return scan.skip();
    while (scan.nextMember()) {
      const name = scan.keyIn(MESSAGE_NAMES);
      if (name === 'content' && scan.enterArray()) while (scan.nextElement()) this.readBlock(scan);
      else if (name === 'stop_reason' && scan.kind() === 'string') this.#stopReason = scan.string();
      else scan.skip();
    }
  }

  /** A whole block, or the start of one: its pieces follow before the next block. */
  readBlock(scan: JsonScan): void {
    let [type, text, called]: [string | undefined, string, string] = [undefined, '', ''];
    if (!scan.enterObject()) return scan.skip();
    while (scan.nextMember()) {
      const name = scan.keyIn(BLOCK_NAMES);
      if (name === undefined || scan.kind() !== 'string') scan.skip();
      else if (name === 'type') type = scan.stringIn(BLOCK_TYPES);
      else if (name === 'text') text = scan.string();
      else called = scan.string();
    }
    if (type === 'text') this.#texts.push([text]);
    else if (type === 'tool_use') this.#calls.push({ name: called, arguments: '' });
  }

  readDelta(scan: JsonScan): void {
    if (!scan.enterObject()) return scan.skip();
    while (scan.nextMember()) {
      const name = scan.keyIn(DELTA_NAMES);
      if (name === undefined || scan.kind() !== 'string') scan.skip();
      else if (name === 'stop_reason') this.#stopReason = scan.string();
      else this.#texts.at(-1)?.push(scan.string());
    }
  }

  choice(): Choice {
    const texts = this.#texts.map((pieces) => pieces.join(''));
    return {
      content: texts.length === 0 ? null : texts.join(''),
      isInParts: texts.length > 1,
      calls: this.#calls,
      isRefusal: false,
      finishReason: finishReasonOf(this.#stopReason),
    };
  }
}
