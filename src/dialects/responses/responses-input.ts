import { fieldFault, type BodyFault } from '../../openai/body-fault.ts';
import { NameTable } from '../../openai/json-names.ts';
import type { JsonScan } from '../../openai/json-scan.ts';
import { type MediaKind, readMediaPayload } from '../../openai/media-payload.ts';
import { isCapsuleAt } from './reasoning-capsule.ts';
import { readCallersTools } from './responses-tools.ts';

// Walks the input of a Responses request, counting what bytes don't bound: media, whose payloads are taken out of the
// text. What refers to something kept at the provider is refused: all workspaces share the operator's account there, so
// an id could name another workspace's file. References to items of earlier answers are noted, to be replaced by them.

/** A reference to an item of an earlier answer. */
export interface ItemReference {
  readonly id: string;
  /** The number of the item of the input that it is. */
  readonly index: number;
}

export interface InputTally {
  items: number;
  images: number;
  audios: number;
  files: number;
  /** Bytes of media payloads: data URLs and base64. */
  payloadBytes: number;
  /** Bytes of tools in the input, which templates may render a second time. */
  toolBytes: number;
  readonly references: ItemReference[];
  /** Where items begin that hold the reasoning of a translated answer (reasoning-capsule.ts). */
  readonly capsules: number[];
  /**
   * Whether items may name what is kept at the provider: they were checked when they came, or were written by it for the
   * same workspace.
   */
  readonly mayNameKept: boolean;
}

const ITEM_NAMES = new NameTable([
  'type',
  'role',
  'content',
  'output',
  'tools',
  'file_id',
  'container_id',
  'id',
  'call_id',
  'name',
  'arguments',
  'input',
  'summary',
  'encrypted_content',
  'status',
]);

/** Items whose members hold nothing but text, beside their content and output. */
const PLAIN_TYPES = [
  'message',
  'reasoning',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'tool_search_call',
  'tool_search_output',
  'additional_tools',
  'compaction',
] as const;

const ITEM_TYPES = new NameTable([...PLAIN_TYPES, 'item_reference']);

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

/** Members that name something kept at the provider. */
const ID_NAMES = new NameTable(['file_id', 'file_ids', 'container_id', 'vector_store_id', 'vector_store_ids']);

/** Stands for the type of an item that names none. */
const UNNAMED = '';

/** More than any id takes. */
const ID_BYTES_MAX = 1_024;

/** Nested deeper than any item of the API. */
const LEVELS_MAX = 12;

function keptElsewhere(where: string): BodyFault {
  return fieldFault(
    where,
    `'${where}' refers to something kept at the provider, which isn't possible here; send it in the request.`,
  );
}

function lookalikeFault(where: string, meant: string): BodyFault {
  return fieldFault(`${where}.${meant}`, `'${where}' has a key that some read as '${meant}'; write it so.`);
}

/** Reads the value of `input`, adding its counts to `tally`. */
export function readInput(scan: JsonScan, tally: InputTally): BodyFault | null {
  if (scan.kind() === 'string') {
    tally.items = 1;
    scan.skip();
    return null;
  }
  if (!scan.enterArray()) return fieldFault('input', "'input' must be a string or an array of items.");
  let index = 0;
  for (; scan.nextElement(); index++) {
    const fault = readItem(scan, tally, index);
    if (fault !== null) return fault;
  }
  tally.items = index;
  return null;
}

function readItem(scan: JsonScan, tally: InputTally, index: number): BodyFault | null {
  const start = scan.at;
  const where = (): string => `input[${index}]`;
  if (!scan.enterObject()) return fieldFault(where(), `'${where()}' must be an object.`);
  let type: string | undefined = UNNAMED;
  let idAt = -1;
  let isMessage = false;
  let isCapsule = false;
  while (scan.nextMember()) {
    const name = scan.keyIn(ITEM_NAMES);
    isMessage ||= name === 'role' || name === 'content';
    if (name === undefined) {
      const meant = scan.lookalikeIn(ITEM_NAMES);
      if (meant !== undefined) return lookalikeFault(where(), meant);
      scan.skip();
    } else if (name === 'type' && scan.kind() === 'null') {
      // OpenAI's SDK knows references whose type is null.
      type = UNNAMED;
      scan.skip();
    } else if (name === 'type') {
      if (scan.kind() !== 'string') return fieldFault(`${where()}.type`, `'${where()}.type' must be a string.`);
      type = scan.stringIn(ITEM_TYPES);
    } else if (name === 'id') {
      idAt = scan.at;
      scan.skip();
    } else if (name === 'encrypted_content') {
      isCapsule = isCapsuleAt(scan.bytes, scan.at);
      scan.skip();
    } else if (name === 'content' || name === 'output') {
      const fault = readContent(scan, tally, () => `${where()}.${name}`);
      if (fault !== null) return fault;
    } else if (name === 'tools') {
      const toolsStart = scan.at;
      const fault = readCallersTools(scan, `${where()}.tools`);
      if (fault !== null) return fault;
      tally.toolBytes += scan.at - toolsStart;
    } else if (isNamed(scan, tally, name)) {
      return keptElsewhere(`${where()}.${name}`);
    } else scan.skip();
  }
  if (scan.fault !== null) return null;
  if (type === 'reasoning' && isCapsule) tally.capsules.push(start);
  // What has no type and says nothing is a reference too, to OpenAI.
  if (type === 'item_reference' || (type === UNNAMED && !isMessage && idAt >= 0)) {
    return noteReference(scan, idAt, { tally, index });
  }
  return type === undefined && !tally.mayNameKept ? readUnknown(scan, start, where()) : null;
}

/** Whether the member here names something kept at the provider, and may not. */
function isNamed(scan: JsonScan, { mayNameKept }: InputTally, name: string): boolean {
  return !mayNameKept && (name === 'file_id' || name === 'container_id') && scan.kind() === 'string';
}

/** Reads the id of a reference, which the scan has passed. */
function noteReference(
  scan: JsonScan,
  idAt: number,
  { tally, index }: { readonly tally: InputTally; readonly index: number },
): BodyFault | null {
  const end = scan.at;
  scan.at = Math.max(idAt, 0);
  const id = idAt >= 0 && scan.kind() === 'string' && !scan.exceeds(ID_BYTES_MAX) ? scan.string() : '';
  scan.at = end;
  if (id === '') {
    return fieldFault(`input[${index}].id`, `'input[${index}].id' must be the id of an item of an earlier answer.`);
  }
  tally.references.push({ id, index });
  return null;
}

/** Looks through an item of a type that isn't known for ids of things that are kept at the provider. */
function readUnknown(scan: JsonScan, start: number, where: string): BodyFault | null {
  const end = scan.at;
  scan.at = start;
  const found = findId(scan, LEVELS_MAX);
  scan.at = end;
  return found === null ? null : keptElsewhere(`${where}.${found}`);
}

/** The name of a member that holds such an id; null if there is none. */
function findId(scan: JsonScan, levels: number): string | null {
  if (levels > 0 && scan.enterArray()) {
    while (scan.nextElement()) {
      const found = findId(scan, levels - 1);
      if (found !== null) return found;
    }
    return null;
  }
  if (levels > 0 && scan.enterObject()) {
    while (scan.nextMember()) {
      const name = scan.keyIn(ID_NAMES);
      const kind = scan.kind();
      if (name !== undefined && (kind === 'string' || kind === 'array')) return name;
      const found = findId(scan, levels - 1);
      if (found !== null) return found;
    }
    return null;
  }
  scan.skip();
  return null;
}

function readContent(scan: JsonScan, tally: InputTally, where: () => string): BodyFault | null {
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
function readPart(scan: JsonScan, tally: InputTally, where: () => string): BodyFault | null {
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
    } else if (isNamed(scan, tally, name)) {
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
