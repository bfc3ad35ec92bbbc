import { fieldFault, type BodyFault } from './body-fault.ts';
import { NameTable } from './json-names.ts';
import type { JsonScan } from './json-scan.ts';
import { type MediaKind, type MediaPayload, NO_PAYLOAD, readMediaPayload } from './media-payload.ts';

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

/** Parts that are all text, whatever their members say. A part of any unknown type may stand for anything: a file. */
const TEXT_TYPES = [
  'text',
  'input_text',
  'output_text',
  'refusal',
  'thinking',
  'redacted_thinking',
  'reasoning',
] as const;

type PartType = PartName | (typeof TEXT_TYPES)[number];

const PART_TYPES = new NameTable<PartType>([...TEXT_TYPES, ...(Object.keys(MEDIA_PARTS) as PartName[])]);

/** Where in the messages the reading stands. Its path is made for a fault alone. */
class Place {
  message = 0;
  part: number | null = null;

  get path(): string {
    return this.part === null ? `messages[${this.message}]` : `messages[${this.message}].content[${this.part}]`;
  }

  /** The fault of a member. */
  memberFault(name: string, problem: string): BodyFault {
    const path = `${this.path}.${name}`;
    return fieldFault(path, `'${path}' ${problem}.`);
  }

  /** The fault of a key that only some read as `name`. */
  lookalikeFault(name: string): BodyFault {
    const { path } = this;
    return fieldFault(`${path}.${name}`, `'${path}' has a key that some read as '${name}'; write it so.`);
  }
}

/** Reads the value of `messages`, adding its counts to `tally`. */
export function readMessages(scan: JsonScan, tally: MessagesTally): BodyFault | null {
  if (!scan.enterArray()) return fieldFault('messages', "'messages' must be a non-empty array of messages.");
  const place = new Place();
  for (; scan.nextElement(); place.message++) {
    const fault = readMessage(scan, tally, place);
    if (fault !== null) return fault;
  }
  tally.messages = place.message;
  return tally.messages > 0 ? null : fieldFault('messages', "'messages' must hold at least one message.");
}

function readMessage(scan: JsonScan, tally: MessagesTally, place: Place): BodyFault | null {
  if (!scan.enterObject()) return fieldFault(place.path, `'${place.path}' must be an object with a role.`);
  let hasRole = false;
  while (scan.nextMember()) {
    const name = scan.keyIn(MESSAGE_NAMES);
    if (name === undefined) {
      const meant = scan.lookalikeIn(MESSAGE_NAMES);
      if (meant !== undefined) return place.lookalikeFault(meant);
    } else if (name === 'role') {
      if (scan.kind() !== 'string') return place.memberFault('role', 'must be a string');
      hasRole = true;
    } else if (name === 'audio' && scan.kind() !== 'null') {
      // An earlier answer in audio, by its id at the provider.
      return place.memberFault(
        'audio',
        "names an answer kept at the provider, in an account that all workspaces share; send its transcript as 'content'",
      );
    } else if (name === 'content' && scan.enterArray()) {
      const fault = readParts(scan, tally, place);
      if (fault !== null) return fault;
      continue;
    }
    scan.skip();
  }
  return hasRole || scan.fault !== null ? null : place.memberFault('role', 'must be a string');
}

function readParts(scan: JsonScan, tally: MessagesTally, place: Place): BodyFault | null {
  for (place.part = 0; scan.nextElement(); place.part++) {
    if (!scan.enterObject()) {
      scan.skip();
      continue;
    }
    const fault = readPart(scan, tally, place);
    if (fault !== null) return fault;
  }
  place.part = null;
  return null;
}

/** Reads a part whose object has been entered. */
function readPart(scan: JsonScan, tally: MessagesTally, place: Place): BodyFault | null {
  let type: PartType | 'unknown' | null = null;
  let payloads: Map<PartName, MediaPayload> | null = null;
  while (scan.nextMember()) {
    const name = scan.keyIn(PART_NAMES);
    if (name === undefined || name === 'text') {
      const meant = name === undefined ? scan.lookalikeIn(PART_NAMES) : undefined;
      if (meant !== undefined) return place.lookalikeFault(meant);
      scan.skip();
    } else if (name === 'type') {
      if (type !== null) return place.memberFault(name, 'is given twice');
      if (scan.kind() !== 'string') return place.memberFault(name, 'must be a string');
      type = scan.stringIn(PART_TYPES) ?? 'unknown';
    } else {
      payloads ??= new Map();
      if (payloads.has(name)) return place.memberFault(name, 'is given twice');
      const payload = readPayload(scan, name, place);
      if ('message' in payload) return payload;
      payloads.set(name, payload);
    }
  }
  tallyPart(type ?? 'unknown', payloads, tally);
  return null;
}

/** Reads the value of the media member `part`: an object that holds the payload, or the URL itself. */
function readPayload(scan: JsonScan, part: PartName, place: Place): MediaPayload | BodyFault {
  const name = MEDIA_PARTS[part].payload;
  const holds = name === 'url' ? 'url' : 'base64';
  if (scan.kind() === 'string') return readMediaPayload(scan, holds);
  if (!scan.enterObject()) {
    scan.skip();
    return NO_PAYLOAD;
  }
  let payload: MediaPayload | null = null;
  while (scan.nextMember()) {
    const key = scan.keyIn(MEDIA_NAMES);
    const meant = key === undefined ? scan.lookalikeIn(MEDIA_NAMES) : undefined;
    if (meant !== undefined) return place.lookalikeFault(`${part}.${meant}`);
    if (key !== name) scan.skip();
    else if (payload !== null) return place.memberFault(`${part}.${name}`, 'is given twice');
    else payload = readMediaPayload(scan, holds);
  }
  return payload ?? NO_PAYLOAD;
}

function tallyPart(
  type: PartType | 'unknown',
  payloads: ReadonlyMap<PartName, MediaPayload> | null,
  tally: MessagesTally,
): void {
  if (type === 'unknown') tally.files++;
  if (!isPartName(type)) return;
  const media = MEDIA_PARTS[type];
  const payload = payloads?.get(type) ?? NO_PAYLOAD;
  // A data URL says what it holds: a document in the place of an image counts as a document.
  tally[(media.payload === 'url' && media.kind === 'images' ? payload.kind : null) ?? media.kind]++;
  tally.payloadBytes += payload.bytes;
}

function isPartName(type: string): type is PartName {
  return Object.hasOwn(MEDIA_PARTS, type);
}
