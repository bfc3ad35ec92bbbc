import { type AnswerFacts, INVALID_ANSWER } from '../../openai/chat-answer.ts';
import { NameTable } from '../../openai/json-names.ts';
import { JsonScan, type PassedValues } from '../../openai/json-scan.ts';
import { readUsage, type ReportedUsage } from '../../openai/usage.ts';
import { isObject } from '../../openai/json-object.ts';
import { chatUsage } from './usage.ts';

// Reads a whole message for its usage and the size of its content.

const ANSWER_NAMES = new NameTable(['content', 'usage']);
const BLOCK_NAMES = new NameTable(['text', 'thinking', 'input']);

const USAGE_BYTES_MAX = 65_536;
const STRUCTURE_MAX = 16_000_000;

/** Reads the body of a message, checking all of it that hasn't been passed. */
export function readMessageAnswer(body: Buffer, passed: PassedValues | null = null): AnswerFacts {
  const scan = new JsonScan(body, STRUCTURE_MAX, passed);
  let usage: ReportedUsage | null = null;
  let contentBytes = 0;
  let hasContent = false;
  if (!scan.enterObject()) return INVALID_ANSWER;
  while (scan.nextMember()) {
    const name = scan.keyIn(ANSWER_NAMES);
    if (name === 'content' && scan.enterArray()) {
      hasContent = true;
      while (scan.nextElement()) contentBytes += readBlock(scan);
    } else if (name === 'usage') {
      const value = scan.parsed(USAGE_BYTES_MAX);
      usage = isObject(value) ? readUsage(chatUsage(value)) : null;
    } else scan.skip();
  }
  if (!scan.finish() || !hasContent) return INVALID_ANSWER;
  return { valid: true, error: null, usage, choices: 1, contentBytes };
}

function readBlock(scan: JsonScan): number {
  let bytes = 0;
  if (!scan.enterObject()) {
    scan.skip();
    return 0;
  }
  while (scan.nextMember()) {
    const name = scan.keyIn(BLOCK_NAMES);
    if (name === 'input') {
      const start = scan.at;
      scan.skip();
      bytes += scan.at - start;
    } else if (name !== undefined && scan.kind() === 'string') bytes += scan.decodedBytes();
    else scan.skip();
  }
  return bytes;
}
