import { type BodyFault, fieldFault } from '../../openai/body-fault.ts';
import type { MessagesTally } from '../../openai/chat-messages.ts';
import type { JsonScan } from '../../openai/json-scan.ts';
import { isMemberFault, MemberReader, type Path, TypeReader } from '../../openai/known-members.ts';
import { isCarriedAt } from './carried-thoughts.ts';
import { BLOCK_MEMBERS, BLOCK_TYPES, SOURCE_MEMBERS, SOURCE_TYPES, TEXT_TYPES } from './message-members.ts';
import { readDefinition } from './message-tools.ts';

// Walks the content blocks of a request, and counts what bytes don't bound: media, whose payloads are subtracted from
// the text. That is only safe if every reader of the request sees the same block, so ambiguous keys are refused. File
// ids are refused because they belong to the provider's account, which all workspaces share. A tool defined in a block
// can't be removed from it, so none may be one that the provider runs.

const MEDIA: Readonly<Record<string, 'images' | 'files'>> = { image: 'images', document: 'files' };

/** Blocks nest: those of a document in those of a tool's result. */
const LEVELS_MAX = 4;

/** Types that templates render as separate messages. */
const TURNS: readonly (string | null)[] = ['tool_use', 'tool_result'];

const BLOCK = new MemberReader(BLOCK_MEMBERS);
const TYPE = new TypeReader(BLOCK_TYPES);
const SOURCE = new MemberReader(SOURCE_MEMBERS);
const SOURCE_TYPE = new TypeReader(SOURCE_TYPES);

export interface BlocksTally extends MessagesTally {
  /** Positions of blocks that are thoughts of translated answers (carried-thoughts.ts). */
  readonly carriedThoughts: number[];
  /** Bytes of tools that are defined in blocks, which templates may render a second time. */
  toolBytes: number;
}

interface Source {
  readonly type: string | null;
  readonly payloadBytes: number;
}

const NO_SOURCE: Source = { type: null, payloadBytes: 0 };

/** The members read from an object; each may occur once. */
class Seen {
  readonly #names: string[] = [];

  /** Records a name; returns the fault if it was seen before. */
  add(name: string, where: Path): BodyFault | null {
    if (this.#names.includes(name)) return fieldFault(`${where()}.${name}`, `'${where()}.${name}' is given twice.`);
    this.#names.push(name);
    return null;
  }
}

/** Reads a `content`: a text, blocks, or the single object that some tools return. `where` names it in faults. */
export function readBlocks(scan: JsonScan, tally: BlocksTally, where: Path, levels = LEVELS_MAX): BodyFault | null {
  const kind = scan.kind();
  if (kind !== 'array' && kind !== 'object') {
    scan.skip();
    return null;
  }
  if (levels === 0) return fieldFault(where(), `'${where()}' is nested deeper than any provider reads.`);
  if (!scan.enterArray()) return readBlock(scan, tally, where, levels);
  for (let index = 0; scan.nextElement(); index++) {
    const fault = readBlock(scan, tally, () => `${where()}[${index}]`, levels);
    if (fault !== null) return fault;
  }
  return null;
}

function readBlock(scan: JsonScan, tally: BlocksTally, where: Path, levels: number): BodyFault | null {
  const start = scan.at;
  if (!scan.enterObject()) {
    scan.skip();
    return null;
  }
  const { unknown } = tally;
  let isCarried = false;
  let type: string | null = null;
  let source: Source = NO_SOURCE;
  const seen = new Seen();
  while (scan.nextMember()) {
    const name = BLOCK.judge(scan, where, unknown);
    if (isMemberFault(name)) return name;
    if (name === null) continue;
    if (name === 'signature') {
      isCarried ||= isCarriedAt(scan.bytes, scan.at);
      scan.skip();
      continue;
    }
    const twice = seen.add(name, where);
    if (twice !== null) return twice;
    let fault: BodyFault | null = null;
    if (name === 'type' && scan.kind() === 'string') {
      const read = TYPE.read(scan, where, unknown);
      if (typeof read === 'object') fault = read;
      else type = read;
    } else if (name === 'source') {
      const read = readSource(scan, tally, () => `${where()}.source`, levels);
      if ('message' in read) fault = read;
      else source = read;
    } else if (name === 'content' || name === 'tool_changes') {
      fault = readBlocks(scan, tally, () => `${where()}.${name}`, levels - 1);
    } else if (name === 'tool') {
      const toolStart = scan.at;
      fault = readDefinition(scan, () => `${where()}.tool`, unknown);
      tally.toolBytes += scan.at - toolStart;
    } else scan.skip();
    if (fault !== null) return fault;
  }
  if (isCarried && type === 'thinking') tally.carriedThoughts.push(start);
  tallyBlock(type, source, tally);
  return null;
}

function readSource(scan: JsonScan, tally: BlocksTally, where: Path, levels: number): Source | BodyFault {
  if (!scan.enterObject()) {
    scan.skip();
    return NO_SOURCE;
  }
  let type: string | null = null;
  let payloadBytes = 0;
  const seen = new Seen();
  while (scan.nextMember()) {
    const name = SOURCE.judge(scan, where, tally.unknown);
    if (isMemberFault(name)) return name;
    if (name === null) continue;
    const twice = seen.add(name, where);
    if (twice !== null) return twice;
    if (name === 'type' && scan.kind() === 'string') {
      const read = SOURCE_TYPE.read(scan, where, tally.unknown);
      if (typeof read === 'object') return read;
      type = read;
    } else if (name === 'content') {
      const fault = readBlocks(scan, tally, () => `${where()}.content`, levels - 1);
      if (fault !== null) return fault;
    } else {
      const start = scan.at;
      const isText = scan.kind() === 'string';
      scan.skip();
      if (name === 'data' && isText) payloadBytes = scan.at - start - 2;
    }
  }
  return { type, payloadBytes };
}

function tallyBlock(type: string | null, { type: source, payloadBytes }: Source, tally: BlocksTally): void {
  if (TURNS.includes(type)) tally.messages++;
  if (type !== null && TEXT_TYPES.has(type)) return;
  const medium = type === null ? undefined : MEDIA[type];
  // A block of any other type may be anything, so it counts as a file.
  if (medium === undefined) {
    tally.files++;
    return;
  }
  // The text of a document is bounded by its bytes, and blocks in it count themselves.
  if (type === 'document' && (source === 'text' || source === 'content')) return;
  tally[medium]++;
  if (source === 'base64') tally.payloadBytes += payloadBytes;
}
