import { NameTable } from '../../openai/json-names.ts';
import { JsonScan } from '../../openai/json-scan.ts';
import type { EventFacts } from '../dialect.ts';

// One data event of a stream of messages, parsed in one pass. Usage is not read here: a later event corrects an
// earlier one, so the reader of the provider's answer combines them.

const EVENT_NAMES = new NameTable(['type', 'delta', 'content_block', 'error']);
const EVENT_TYPES = new NameTable(['message_stop', 'error']);
const WRITTEN = new NameTable(['text', 'thinking', 'partial_json', 'stop_reason', 'input']);

const STRUCTURE_MAX = 4_000_000;

const NONE: readonly number[] = Object.freeze([]);
const FIRST: readonly number[] = Object.freeze([0]);

const INVALID: EventFacts = Object.freeze({
  valid: false,
  error: null,
  usage: null,
  usageChoice: null,
  isUsageInChoice: false,
  choices: 'none',
  finishedChoices: NONE,
  hasContent: false,
  contentBytes: 0,
  audioBytes: 0,
  isLast: false,
});

const ERROR = Object.freeze({});

/** Content bytes of a delta or a block's start, and whether the stop reason is there. */
interface Written {
  bytes: number;
  isStopped: boolean;
}

/** Reads one payload, checking all of it. */
export function inspectMessageEvent(payload: Buffer): EventFacts {
  const scan = new JsonScan(payload, STRUCTURE_MAX);
  if (!scan.enterObject()) return INVALID;
  const written: Written = { bytes: 0, isStopped: false };
  let type: 'message_stop' | 'error' | undefined;
  while (scan.nextMember()) {
    switch (scan.keyIn(EVENT_NAMES)) {
      case 'type':
        if (scan.kind() === 'string') type = scan.stringIn(EVENT_TYPES);
        else scan.skip();
        break;
      case 'delta':
      case 'content_block':
        readWritten(scan, written);
        break;
      case 'error':
        if (scan.kind() !== 'null') type = 'error';
        scan.skip();
        break;
      case undefined:
        scan.skip();
    }
  }
  if (!scan.finish()) return INVALID;
  const isLast = type === 'message_stop';
  return {
    valid: true,
    error: type === 'error' ? ERROR : null,
    usage: null,
    usageChoice: null,
    isUsageInChoice: false,
    choices: 'some',
    finishedChoices: isLast || written.isStopped ? FIRST : NONE,
    hasContent: written.bytes > 0,
    contentBytes: written.bytes,
    audioBytes: 0,
    isLast,
  };
}

function readWritten(scan: JsonScan, written: Written): void {
  if (!scan.enterObject()) return scan.skip();
  while (scan.nextMember()) {
    switch (scan.keyIn(WRITTEN)) {
      case 'text':
      case 'thinking':
      case 'partial_json':
        if (scan.kind() === 'string') written.bytes += scan.decodedBytes();
        else scan.skip();
        break;
      case 'input': {
        // Empty if its parts follow.
        const start = scan.at;
        scan.skip();
        if (scan.at - start > 2) written.bytes += scan.at - start;
        break;
      }
      case 'stop_reason':
        written.isStopped = scan.kind() === 'string';
        scan.skip();
        break;
      case undefined:
        scan.skip();
    }
  }
}
