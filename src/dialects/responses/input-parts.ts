import { fieldFault, type BodyFault } from '../../openai/body-fault.ts';
import { NameTable } from '../../openai/json-names.ts';
import type { JsonScan } from '../../openai/json-scan.ts';
import { type MediaKind, readMediaPayload } from '../../openai/media-payload.ts';
import { namesKept, keptElsewhere, type KeptRule } from './kept-elsewhere.ts';

// Walks the parts of an item's content, counting media and taking their payloads out of the text.

export interface PartsTally extends KeptRule {
  images: number;
  audios: number;
  files: number;
  /** Bytes of media payloads: data URLs and base64. */
  payloadBytes: number;
}

const PART_NAMES = new NameTable([
  'type',
  'image_url',
  'file_data',
  'file_url',
  'input_audio',
  'file_id',
  'container_id',
  'text',
  'detail',
  'filename',
  'annotations',
  'logprobs',
  'refusal',
]);

const PART_TYPES = new NameTable([
  'input_text',
  'output_text',
  'text',
  'refusal',
  'summary_text',
  'reasoning_text',
  'input_image',
  'computer_screenshot',
  'input_file',
  'input_audio',
]);

/** The media that a part of each type counts as; those that aren't here are text. */
const MEDIA: Readonly<Record<string, MediaKind>> = {
  input_image: 'images',
  computer_screenshot: 'images',
  input_file: 'files',
  input_audio: 'audios',
};

const AUDIO_NAMES = new NameTable(['data', 'format']);

/** The fault of a key that another parser could take for one that is checked. */
export function lookalikeFault(where: string, meant: string): BodyFault {
  return fieldFault(`${where}.${meant}`, `'${where}' has a key that some read as '${meant}'; write it so.`);
}

/** Reads the content of an item, a text or parts, adding its counts to `tally`. */
export function readContent(scan: JsonScan, tally: PartsTally, where: () => string): BodyFault | null {
  if (scan.enterArray()) {
    for (let index = 0; scan.nextElement(); index++) {
      const fault = readPart(scan, tally, () => `${where()}[${index}]`);
      if (fault !== null) return fault;
    }
    return null;
  }
  return readPart(scan, tally, where);
}

/** Reads a part of a content; text that stands there instead counts as such. */
function readPart(scan: JsonScan, tally: PartsTally, where: () => string): BodyFault | null {
  if (!scan.enterObject()) {
    scan.skip();
    return null;
  }
  let type: string | undefined;
  let payloadBytes = 0;
  let kindInUrl: MediaKind | null = null;
  while (scan.nextMember()) {
    const name = scan.keyIn(PART_NAMES);
    if (name === undefined) {
      const meant = scan.lookalikeIn(PART_NAMES);
      if (meant !== undefined) return lookalikeFault(where(), meant);
      scan.skip();
    } else if (name === 'type') {
      if (scan.kind() !== 'string') return fieldFault(`${where()}.type`, `'${where()}.type' must be a string.`);
      type = scan.stringIn(PART_TYPES) ?? 'unknown';
    } else if (namesKept(scan, tally, name)) {
      return keptElsewhere(`${where()}.${name}`);
    } else if (name === 'image_url' || name === 'file_data') {
      const payload = readMediaPayload(scan, name === 'file_data' ? 'base64' : 'url');
      payloadBytes += payload.bytes;
      kindInUrl = payload.kind;
    } else if (name === 'input_audio' && scan.enterObject()) {
      while (scan.nextMember()) {
        if (scan.keyIn(AUDIO_NAMES) === 'data') payloadBytes += readMediaPayload(scan, 'base64').bytes;
        else scan.skip();
      }
    } else scan.skip();
  }
  // A part of an unknown type may stand for anything: a file.
  const kind = type === undefined || type === 'unknown' ? 'files' : MEDIA[type];
  if (kind === undefined) return null;
  // A data URL says what it holds: a document in the place of an image counts as a document.
  tally[kind === 'images' ? (kindInUrl ?? kind) : kind]++;
  tally.payloadBytes += payloadBytes;
  return null;
}
