import { NameTable } from './json-names.ts';
import type { JsonScan } from './json-scan.ts';

// Measures a model's output: the text of a `delta`, a `message` or an output item, without the JSON around it. Used
// for estimates of tokens and, since it counts nothing else, for lower bounds.

/** Members with text in a delta or message of any vendor; Mistral's content is an array of typed parts. */
const WRITTEN = new NameTable([
  'content',
  'text',
  'reasoning',
  'reasoning_content',
  'thinking',
  'refusal',
  'tool_calls',
  'function_call',
  'function',
  'custom',
  'name',
  'arguments',
  'input',
  'audio',
]);

/** An answer in audio, or a piece of one: base64, and a transcript. */
const AUDIO = new NameTable(['data', 'transcript']);

/** Sums the base64 characters of audio that was skipped. */
export interface AudioTally {
  audioBytes: number;
}

/** From a delta down to the arguments of a tool call, from an output to the text of a part, and more than that. */
const MAX_LEVELS = 8;

/**
 * Skips the delta or message at this position, and returns the UTF-8 bytes of the model's text in it. Audio counts by
 * its transcript, and its base64 is added to the tally.
 */
export function readMessageBytes(scan: JsonScan, tally: AudioTally): number {
  return measure(scan, WRITTEN, MAX_LEVELS, tally);
}

/** Skips the value at this position, and returns the UTF-8 bytes of the model's text in members with these names. */
export function readContentBytes(scan: JsonScan, names: NameTable<string>): number {
  return measure(scan, names, MAX_LEVELS, null);
}

function measure(scan: JsonScan, names: NameTable<string>, levels: number, tally: AudioTally | null): number {
  if (scan.kind() === 'string') return scan.decodedBytes();
  let bytes = 0;
  if (levels > 0 && scan.enterArray()) {
    while (scan.nextElement()) bytes += measure(scan, names, levels - 1, tally);
    return bytes;
  }
  if (levels > 0 && scan.enterObject()) return measureMembers(scan, names, levels - 1, tally);
  scan.skip();
  return 0;
}

function measureMembers(scan: JsonScan, names: NameTable<string>, levels: number, tally: AudioTally | null): number {
  let bytes = 0;
  // Some send the same reasoning under both of its names.
  let reasoning = 0;
  while (scan.nextMember()) {
    const name = scan.keyIn(names);
    if (name === undefined) {
      scan.skip();
    } else if (name === 'reasoning' || name === 'reasoning_content') {
      reasoning = Math.max(reasoning, measure(scan, names, levels, tally));
    } else if (name === 'audio' && tally !== null) {
      bytes += measureAudio(scan, tally);
    } else if ((name === 'arguments' || name === 'input') && scan.kind() === 'object') {
      const start = scan.at;
      scan.skip();
      bytes += scan.at - start;
    } else {
      bytes += measure(scan, names, levels, tally);
    }
  }
  return bytes + reasoning;
}

/** The bytes of the transcript. */
function measureAudio(scan: JsonScan, tally: AudioTally): number {
  if (!scan.enterObject()) {
    addBase64(scan, tally);
    return 0;
  }
  let bytes = 0;
  while (scan.nextMember()) {
    const name = scan.keyIn(AUDIO);
    if (name === 'transcript' && scan.kind() === 'string') bytes += scan.decodedBytes();
    else if (name === 'data') addBase64(scan, tally);
    else scan.skip();
  }
  return bytes;
}

function addBase64(scan: JsonScan, tally: AudioTally): void {
  const start = scan.at;
  const isString = scan.kind() === 'string';
  scan.skip();
  if (isString && scan.fault === null) tally.audioBytes += scan.at - start - 2;
}
