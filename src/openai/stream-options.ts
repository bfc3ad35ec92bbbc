import { fieldFault, type BodyFault } from './body-fault.ts';
import { type JsonObject, readObject } from './json-edit.ts';
import { NameTable } from './json-names.ts';
import type { JsonScan } from './json-scan.ts';

// What a request says about its stream, by which the gate goes as well.

export interface StreamOptionsDraft {
  stream: boolean;
  includeUsage: boolean;
  streamOptions: JsonObject | null;
}

const OPTIONS_MAX = 32;

const STREAM_OPTIONS = new NameTable(['include_usage', 'include_obfuscation']);

/** Reads the value of `stream_options`. */
export function readStreamOptions(scan: JsonScan, draft: StreamOptionsDraft): BodyFault | null {
  if (scan.kind() === 'null') {
    scan.skip();
    return null;
  }
  const options = readObject(scan, OPTIONS_MAX);
  if (options === null) return fieldFault('stream_options', "'stream_options' must be an object with few members.");
  if (scan.fault !== null) return null;
  const seen = new Set<string>();
  for (const member of options.members) {
    const name = STREAM_OPTIONS.lookalike(member.key) ?? member.key;
    if (seen.has(name) || name !== member.key) {
      return fieldFault('stream_options', "'stream_options' has a key twice, or one that some would read as another.");
    }
    seen.add(name);
    if (name !== 'include_usage') continue;
    const value = scan.bytes.toString('latin1', member.valueStart, member.valueEnd);
    if (!['true', 'false', 'null'].includes(value)) {
      return fieldFault('stream_options.include_usage', "'stream_options.include_usage' must be true or false.");
    }
    draft.includeUsage = value === 'true';
  }
  draft.streamOptions = options;
  return null;
}

/** The fault of options without a stream. */
export function findStray({ stream, streamOptions }: StreamOptionsDraft): BodyFault | null {
  if (streamOptions === null || stream) return null;
  return fieldFault('stream_options', "'stream_options' is only allowed when 'stream' is true.");
}
