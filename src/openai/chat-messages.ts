import { fieldFault, type BodyFault } from './body-fault.ts';
import { NameTable } from './json-names.ts';
import type { JsonScan } from './json-scan.ts';

// Walks a chat request's messages, counting what bytes don't bound: media, whose payloads are taken out of the text.
// That is only safe where every reader of the request sees the same part, so keys that could be read in two ways are
// refused.

export interface MessagesTally {
  messages: number;
  images: number;
  audios: number;
  files: number;
  /** Bytes of media payloads: data URLs and base64. */
  payloadBytes: number;
}

type MediaKind = 'images' | 'audios' | 'files';

type PartName = 'image_url' | 'input_audio' | 'file' | 'video_url' | 'audio_url' | 'document_url';
type PayloadName = 'url' | 'data' | 'file_data';

/** Where a part of each type keeps its payload, and what it counts as. */
const MEDIA_PARTS: Readonly<Record<PartName, { readonly payload: PayloadName; readonly kind: MediaKind }>> = {
  image_url: { payload: 'url', kind: 'images' },
  input_audio: { payload: 'data', kind: 'audios' },
  audio_url: { payload: 'url', kind: 'audios' },
  file: { payload: 'file_data', kind: 'files' },
  video_url: { payload: 'url', kind: 'files' },
  document_url: { payload: 'url', kind: 'files' },
};

// The names after the first few only spare the usual keys a closer look.
const MESSAGE_NAMES = new NameTable(['role', 'content', 'audio', 'name', 'tool_calls', 'tool_call_id', 'refusal']);
const PART_NAMES = new NameTable<PartName | 'type' | 'text'>([
  'type',
  'image_url',
  'input_audio',
  'file',
  'video_url',
  'audio_url',
  'document_url',
  'text',
]);
const MEDIA_NAMES = new NameTable<PayloadName | 'detail' | 'format'>(['url', 'data', 'file_data', 'detail', 'format']);

/** Parts that are all text, whatever their members say. A part of any other type may stand for anything: a file. */
const TEXT_TYPES: ReadonlySet<string> = new Set([
  'text',
  'input_text',
  'output_text',
  'refusal',
  'thinking',
  'redacted_thinking',
  'reasoning',
]);

/** Reads the value of `messages`, adding what it finds to `tally`. */
export function readMessages(scan: JsonScan, tally: MessagesTally): BodyFault | null {
  if (!scan.enterArray()) return fieldFault('messages', "'messages' must be a non-empty array of messages.");
  while (scan.nextElement()) {
    const fault = readMessage(scan, tally, `messages[${tally.messages}]`);
    if (fault !== null) return fault;
    tally.messages++;
  }
  return tally.messages > 0 ? null : fieldFault('messages', "'messages' must hold at least one message.");
}

function readMessage(scan: JsonScan, tally: MessagesTally, where: string): BodyFault | null {
  if (!scan.enterObject()) return fieldFault(where, `'${where}' must be an object with a role.`);
  let hasRole = false;
  while (scan.nextMember()) {
    const name = scan.keyIn(MESSAGE_NAMES);
    if (name === undefined) {
      const fault = lookalikeFault(scan, MESSAGE_NAMES, where);
      if (fault !== null) return fault;
    } else if (name === 'role') {
      if (scan.kind() !== 'string') return fieldFault(`${where}.role`, `'${where}.role' must be a string.`);
      hasRole = true;
    } else if (name === 'audio' && scan.kind() === 'object') {
      // An earlier answer in sound, by reference.
      tally.audios++;
    } else if (name === 'content' && scan.enterArray()) {
      const fault = readParts(scan, tally, `${where}.content`);
      if (fault !== null) return fault;
      continue;
    }
    scan.skip();
  }
  return hasRole || scan.fault !== null ? null : fieldFault(`${where}.role`, `'${where}.role' must be a string.`);
}

function readParts(scan: JsonScan, tally: MessagesTally, where: string): BodyFault | null {
  for (let index = 0; scan.nextElement(); index++) {
    if (!scan.enterObject()) {
      scan.skip();
      continue;
    }
    const fault = readPart(scan, tally, `${where}[${index}]`);
    if (fault !== null) return fault;
  }
  return null;
}

/** Reads a part whose object has been entered. */
function readPart(scan: JsonScan, tally: MessagesTally, where: string): BodyFault | null {
  const seen = new Set<string>();
  const payloads = new Map<string, Payload>();
  let type = '';
  while (scan.nextMember()) {
    const name = scan.keyIn(PART_NAMES);
    if (name === undefined || name === 'text') {
      const fault = name === undefined ? lookalikeFault(scan, PART_NAMES, where) : null;
      if (fault !== null) return fault;
      scan.skip();
      continue;
    }
    if (seen.has(name)) return fieldFault(`${where}.${name}`, `'${where}.${name}' is given twice.`);
    seen.add(name);
    if (name === 'type') {
      if (scan.kind() !== 'string') return fieldFault(`${where}.type`, `'${where}.type' must be a string.`);
      type = scan.string();
    } else {
      const read = readPayload(scan, MEDIA_PARTS[name].payload, `${where}.${name}`);
      if ('message' in read) return read;
      payloads.set(name, read);
    }
  }
  tallyPart(type, payloads, tally);
  return null;
}

/** What a media member holds: how many bytes of payload, and the kind that its data URL names. */
interface Payload {
  readonly bytes: number;
  readonly kind: MediaKind | null;
}

const NO_PAYLOAD: Payload = { bytes: 0, kind: null };

/** Reads a media member's value: an object that holds the payload under `name`, or the URL itself. */
function readPayload(scan: JsonScan, name: PayloadName, where: string): Payload | BodyFault {
  if (scan.kind() === 'string') return readPayloadString(scan, name);
  if (!scan.enterObject()) {
    scan.skip();
    return NO_PAYLOAD;
  }
  let payload: Payload | null = null;
  while (scan.nextMember()) {
    const key = scan.keyIn(MEDIA_NAMES);
    if (key === undefined) {
      const fault = lookalikeFault(scan, MEDIA_NAMES, where);
      if (fault !== null) return fault;
    }
    if (key !== name) scan.skip();
    else if (payload !== null) return fieldFault(`${where}.${name}`, `'${where}.${name}' is given twice.`);
    else payload = readPayloadString(scan, name);
  }
  return payload ?? NO_PAYLOAD;
}

/** Measures the string here: base64 in whole, or what stands behind a data URL's head; any other URL is text. */
function readPayloadString(scan: JsonScan, name: PayloadName): Payload {
  const start = scan.at;
  const isString = scan.kind() === 'string';
  scan.skip();
  if (!isString || scan.fault !== null) return NO_PAYLOAD;
  const head = scan.bytes
    .toString('latin1', start + 1, Math.min(start + 33, scan.at - 1))
    .replaceAll('\\/', '/')
    .toLowerCase();
  const isDataUrl = head.startsWith('data:');
  if (!isDataUrl && name === 'url') return NO_PAYLOAD;
  const kind = !isDataUrl
    ? null
    : head.startsWith('data:image/')
      ? 'images'
      : head.startsWith('data:audio/')
        ? 'audios'
        : 'files';
  return { bytes: scan.at - start - 2, kind };
}

function tallyPart(type: string, payloads: ReadonlyMap<string, Payload>, tally: MessagesTally): void {
  if (TEXT_TYPES.has(type)) return;
  const media = isPartName(type) ? MEDIA_PARTS[type] : undefined;
  const payload = payloads.get(type) ?? NO_PAYLOAD;
  // A data URL says what it holds: a document in the place of an image counts as a document.
  tally[
    media === undefined
      ? 'files'
      : ((media.payload === 'url' && media.kind === 'images' ? payload.kind : null) ?? media.kind)
  ]++;
  tally.payloadBytes += payload.bytes;
}

function isPartName(type: string): type is PartName {
  return Object.hasOwn(MEDIA_PARTS, type);
}

function lookalikeFault<Name extends string>(scan: JsonScan, names: NameTable<Name>, where: string): BodyFault | null {
  const name = names.lookalike(scan.key());
  return name === undefined
    ? null
    : fieldFault(`${where}.${name}`, `'${where}' has a key that some read as '${name}'; write it so.`);
}
