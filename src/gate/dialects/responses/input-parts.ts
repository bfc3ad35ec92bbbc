import { fieldFault, type BodyFault } from '../../openai/body-fault.ts';
import type { JsonScan } from '../../openai/json-scan.ts';
import { isMemberFault, MemberReader, type Path, TypeReader, UNKNOWN_TYPE } from '../../openai/known-members.ts';
import { type MediaKind, readMediaPayload } from '../../openai/media-payload.ts';
import type { UnknownFields } from '../../openai/unknown-fields.ts';
import { AUDIO_MEMBERS, PART_MEMBERS, PART_TYPES } from './response-members.ts';
import { namesKept, keptElsewhere, type KeptRule } from './kept-elsewhere.ts';

// Walks the parts of an item's content, counting media and taking their payloads out of the text.

export interface PartsTally extends KeptRule {
  images: number;
  audios: number;
  files: number;
  /** Bytes of media payloads: data URLs and base64. */
  payloadBytes: number;
  readonly unknown: UnknownFields;
}

const PART = new MemberReader(PART_MEMBERS);
const TYPE = new TypeReader(PART_TYPES);
const AUDIO = new MemberReader(AUDIO_MEMBERS);

/** The medium that a part of each type counts as; other types are text. */
const MEDIA: Readonly<Record<string, MediaKind>> = {
  input_image: 'images',
  computer_screenshot: 'images',
  input_file: 'files',
  input_audio: 'audios',
  encrypted_content: 'files',
};

/** Reads the content of an item, a text or parts, adding its counts to `tally`. */
export function readContent(scan: JsonScan, tally: PartsTally, where: Path): BodyFault | null {
  if (scan.enterArray()) {
    for (let index = 0; scan.nextElement(); index++) {
      const fault = readPart(scan, tally, () => `${where()}[${index}]`);
      if (fault !== null) return fault;
    }
    return null;
  }
  return readPart(scan, tally, where);
}

/** Reads a part of a content; a bare string counts as text. */
function readPart(scan: JsonScan, tally: PartsTally, where: Path): BodyFault | null {
  if (!scan.enterObject()) {
    scan.skip();
    return null;
  }
  const { unknown } = tally;
  let type: string | undefined;
  let payloadBytes = 0;
  let kindInUrl: MediaKind | null = null;
  while (scan.nextMember()) {
    const name = PART.judge(scan, where, unknown);
    if (isMemberFault(name)) return name;
    if (name === null) continue;
    if (name === 'type') {
      if (scan.kind() !== 'string') return fieldFault(`${where()}.type`, `'${where()}.type' must be a string.`);
      const read = TYPE.read(scan, where, unknown);
      if (typeof read === 'object') return read;
      type = read;
    } else if (namesKept(scan, tally, name)) {
      return keptElsewhere(`${where()}.${name}`);
    } else if (name === 'image_url' || name === 'file_data') {
      const payload = readMediaPayload(scan, name === 'file_data' ? 'base64' : 'url');
      payloadBytes += payload.bytes;
      kindInUrl = payload.kind;
    } else if (name === 'input_audio' && scan.enterObject()) {
      while (scan.nextMember()) {
        const member = AUDIO.judge(scan, () => `${where()}.input_audio`, unknown);
        if (isMemberFault(member)) return member;
        if (member !== null) payloadBytes += readMediaPayload(scan, 'base64').bytes;
      }
    } else scan.skip();
  }
  // A part of an unknown type may be anything, so it counts as a file.
  const kind = type === undefined || type === UNKNOWN_TYPE ? 'files' : MEDIA[type];
  if (kind === undefined) return null;
  // A data URL names its content type: a document sent as an image counts as a document.
  tally[kind === 'images' ? (kindInUrl ?? kind) : kind]++;
  tally.payloadBytes += payloadBytes;
  return null;
}
