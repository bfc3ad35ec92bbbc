import { NameTable } from './json-names.ts';
import type { JsonScan } from './json-scan.ts';

// Measures what a model wrote: the text of a `delta`, a `message` or an output, not the wire around it. Serves estimates of tokens
// and, since nothing is counted that the model didn't write, lower bounds.

/** Where text stands in a delta or message, whatever the vendor; Mistral's content is an array of typed parts. */
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
  'transcript',
]);

/** From a delta down to the arguments of a tool call, from an output to the text of a part, and more than that. */
const MAX_LEVELS = 8;

/**
 * Passes over the value here and answers with the bytes of UTF-8 that the model wrote: in members with these names, by
 * default those of a delta or message.
 */
export function readContentBytes(scan: JsonScan, names: NameTable<string> = WRITTEN): number {
  return measure(scan, names, MAX_LEVELS);
}

function measure(scan: JsonScan, names: NameTable<string>, levels: number): number {
  if (scan.kind() === 'string') return scan.decodedBytes();
  let bytes = 0;
  if (levels > 0 && scan.enterArray()) {
    while (scan.nextElement()) bytes += measure(scan, names, levels - 1);
    return bytes;
  }
  if (levels > 0 && scan.enterObject()) return measureMembers(scan, names, levels - 1);
  scan.skip();
  return 0;
}

function measureMembers(scan: JsonScan, names: NameTable<string>, levels: number): number {
  let bytes = 0;
  // Some send the same reasoning under both of its names.
  let reasoning = 0;
  while (scan.nextMember()) {
    const name = scan.keyIn(names);
    if (name === undefined) {
      scan.skip();
    } else if (name === 'reasoning' || name === 'reasoning_content') {
      reasoning = Math.max(reasoning, measure(scan, names, levels));
    } else if ((name === 'arguments' || name === 'input') && scan.kind() === 'object') {
      const start = scan.at;
      scan.skip();
      bytes += scan.at - start;
    } else {
      bytes += measure(scan, names, levels);
    }
  }
  return bytes + reasoning;
}
