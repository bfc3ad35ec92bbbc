import { fieldFault, type BodyFault } from './body-fault.ts';
import { MEDIA_MEMBERS, MESSAGE_MEMBERS, PART_MEMBERS, PART_TYPES } from './chat-members.ts';
import type { JsonScan } from './json-scan.ts';
import { isMemberFault, MemberReader, type Path, TypeReader, UNKNOWN_TYPE } from './known-members.ts';
import { type MediaKind, type MediaPayload, NO_PAYLOAD, readMediaPayload } from './media-payload.ts';
import type { UnknownFields } from './unknown-fields.ts';

// Walks a chat request's messages, and counts what bytes don't bound: media, whose payloads are subtracted from the
// text. That is only safe if every reader of the request sees the same part, so ambiguous keys are refused.

export interface MessagesTally {
  messages: number;
  images: number;
  audios: number;
  files: number;
  /** Bytes of media payloads: data URLs and base64. */
  payloadBytes: number;
  readonly unknown: UnknownFields;
}

type PartName = 'image_url' | 'input_audio' | 'file' | 'video_url' | 'audio_url' | 'document_url';
type PayloadName = 'url' | 'data' | 'file_data';

/** The member with the payload of each type of part, and what the part counts as. */
const MEDIA_PARTS: Readonly<Record<PartName, { readonly payload: PayloadName; readonly kind: MediaKind }>> = {
  image_url: { payload: 'url', kind: 'images' },
  input_audio: { payload: 'data', kind: 'audios' },
  audio_url: { payload: 'url', kind: 'audios' },
  file: { payload: 'file_data', kind: 'files' },
  video_url: { payload: 'url', kind: 'files' },
  document_url: { payload: 'url', kind: 'files' },
};

const MESSAGE = new MemberReader(MESSAGE_MEMBERS);
const PART = new MemberReader(PART_MEMBERS);
const MEDIA = new MemberReader(MEDIA_MEMBERS);
const TYPE = new TypeReader(PART_TYPES);

/** The position in the messages. Its path is made only for a fault. */
class Place {
  message = 0;
  part: number | null = null;

  readonly at: Path = () => this.path;

  get path(): string {
    return this.part === null ? `messages[${this.message}]` : `messages[${this.message}].content[${this.part}]`;
  }

  /** The fault of a member. */
  memberFault(name: string, problem: string): BodyFault {
    const path = `${this.path}.${name}`;
    return fieldFault(path, `'${path}' ${problem}.`);
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
    const name = MESSAGE.judge(scan, place.at, tally.unknown);
    if (isMemberFault(name)) return name;
    if (name === null) continue;
    if (name === 'role') {
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
  let type: string | null = null;
  let payloads: Map<PartName, MediaPayload> | null = null;
  while (scan.nextMember()) {
    const name = PART.judge(scan, place.at, tally.unknown);
    if (isMemberFault(name)) return name;
    if (name === null) continue;
    if (name === 'type') {
      if (type !== null) return place.memberFault(name, 'is given twice');
      if (scan.kind() !== 'string') return place.memberFault(name, 'must be a string');
      const read = TYPE.read(scan, place.at, tally.unknown);
      if (typeof read === 'object') return read;
      type = read;
    } else {
      payloads ??= new Map();
      if (payloads.has(name)) return place.memberFault(name, 'is given twice');
      const payload = readPayload(scan, name, { place, unknown: tally.unknown });
      if ('message' in payload) return payload;
      payloads.set(name, payload);
    }
  }
  tallyPart(type ?? UNKNOWN_TYPE, payloads, tally);
  return null;
}

/** Reads the value of the media member `part`: an object that holds the payload, or the URL itself. */
function readPayload(
  scan: JsonScan,
  part: PartName,
  { place, unknown }: { readonly place: Place; readonly unknown: UnknownFields },
): MediaPayload | BodyFault {
  const name = MEDIA_PARTS[part].payload;
  const holds = name === 'url' ? 'url' : 'base64';
  if (scan.kind() === 'string') return readMediaPayload(scan, holds);
  if (!scan.enterObject()) {
    scan.skip();
    return NO_PAYLOAD;
  }
  let payload: MediaPayload | null = null;
  while (scan.nextMember()) {
    const key = MEDIA.judge(scan, () => `${place.path}.${part}`, unknown);
    if (isMemberFault(key)) return key;
    if (key === null) continue;
    if (key !== name) scan.skip();
    else if (payload !== null) return place.memberFault(`${part}.${name}`, 'is given twice');
    else payload = readMediaPayload(scan, holds);
  }
  return payload ?? NO_PAYLOAD;
}

function tallyPart(type: string, payloads: ReadonlyMap<PartName, MediaPayload> | null, tally: MessagesTally): void {
  // A part of an unknown type may be anything, so it counts as a file.
  if (type === UNKNOWN_TYPE) tally.files++;
  if (!isPartName(type)) return;
  const media = MEDIA_PARTS[type];
  const payload = payloads?.get(type) ?? NO_PAYLOAD;
  // A data URL names its content type: a document sent as an image counts as a document.
  tally[(media.payload === 'url' && media.kind === 'images' ? payload.kind : null) ?? media.kind]++;
  tally.payloadBytes += payload.bytes;
}

function isPartName(type: string): type is PartName {
  return Object.hasOwn(MEDIA_PARTS, type);
}
