import { type BodyFault, fieldFault } from '../../openai/body-fault.ts';
import type { MessagesTally } from '../../openai/chat-messages.ts';
import { NameTable } from '../../openai/json-names.ts';
import type { JsonScan } from '../../openai/json-scan.ts';
import { readCacheControl } from './cache-lifetime.ts';
import { isCarriedAt } from './carried-thoughts.ts';
import { readDefinition } from './message-tools.ts';

// Walks the content blocks of a request, counting what bytes don't bound: media, whose payloads are taken out of the
// text. That is only safe where every reader of the request sees the same block, so keys that could be read in two ways
// are refused. So is a file by its id: ids belong to the provider's account, which all workspaces share. A tool that is
// defined in a block can't be taken out of it, so none may be one that the provider runs.

const MEDIA = { image: 'images', document: 'files' } as const;

/** Blocks that are all text, or hold blocks. One of any other type may stand for anything: a file. */
const TEXT_TYPES = [
  'text',
  'thinking',
  'redacted_thinking',
  'tool_use',
  'tool_result',
  'tool_reference',
  'server_tool_use',
  'search_result',
  'web_search_tool_result',
  'tool_search_tool_result',
  'compaction',
] as const;

type BlockType = keyof typeof MEDIA | (typeof TEXT_TYPES)[number];

const BLOCK_TYPES = new NameTable<BlockType>([...TEXT_TYPES, 'image', 'document']);
const BLOCK_NAMES = new NameTable([
  'type',
  'source',
  'content',
  'file_id',
  'text',
  'signature',
  'cache_control',
  'tool',
  'tool_changes',
]);
const SOURCE_NAMES = new NameTable(['type', 'data', 'content', 'file_id', 'url', 'media_type']);
const SOURCE_TYPES = new NameTable(['base64', 'text', 'url', 'content']);

/** Blocks stand in blocks: those of a document in those of a tool's result. */
const LEVELS_MAX = 4;

/** A message of its own, as templates render it. */
const TURNS: readonly (BlockType | null)[] = ['tool_use', 'tool_result'];

export interface BlocksTally extends MessagesTally {
  /** Where blocks begin that are thoughts of translated answers (carried-thoughts.ts). */
  readonly carriedThoughts: number[];
  /** Bytes of tools that are defined in blocks, which templates may render a second time. */
  toolBytes: number;
}

interface Source {
  readonly type: string | null;
  readonly payloadBytes: number;
}

const NO_SOURCE: Source = { type: null, payloadBytes: 0 };

function memberFault(where: string, name: string, problem: string): BodyFault {
  const path = `${where}.${name}`;
  return fieldFault(path, `'${path}' ${problem}.`);
}

const LOOKALIKE = 'may be read under another name by some; write it as it is here';
const FILE_ID = 'names a file by its id, which is not possible here; send what it holds';

/** Reads a `content`: a text, or blocks. `where` names it in faults. */
export function readBlocks(scan: JsonScan, tally: BlocksTally, where: string, levels = LEVELS_MAX): BodyFault | null {
  if (levels === 0 || !scan.enterArray()) {
    scan.skip();
    return null;
  }
  for (let index = 0; scan.nextElement(); index++) {
    const fault = readBlock(scan, tally, () => `${where}[${index}]`, levels);
    if (fault !== null) return fault;
  }
  return null;
}

/** `where` is called for a fault, or what is nested, alone. */
function readBlock(scan: JsonScan, tally: BlocksTally, where: () => string, levels: number): BodyFault | null {
  const start = scan.at;
  if (!scan.enterObject()) {
    scan.skip();
    return null;
  }
  let isCarried = false;
  let type: BlockType | null = null;
  let source: Source = NO_SOURCE;
  const seen = new Set<string>();
  while (scan.nextMember()) {
    const name = scan.keyIn(BLOCK_NAMES);
    if (name === undefined || name === 'text' || name === 'signature') {
      isCarried ||= name === 'signature' && isCarriedAt(scan.bytes, scan.at);
      const meant = name === undefined ? scan.lookalikeIn(BLOCK_NAMES) : undefined;
      if (meant !== undefined) return memberFault(where(), meant, LOOKALIKE);
      scan.skip();
      continue;
    }
    if (seen.has(name)) return memberFault(where(), name, 'is given twice');
    seen.add(name);
    if (name === 'file_id' && scan.kind() !== 'null') return memberFault(where(), name, FILE_ID);
    if (name === 'type' && scan.kind() === 'string') {
      type = scan.stringIn(BLOCK_TYPES) ?? null;
    } else if (name === 'source') {
      const read = readSource(scan, tally, where, levels);
      if ('message' in read) return read;
      source = read;
    } else if (name === 'content' || name === 'tool_changes') {
      const fault = readBlocks(scan, tally, `${where()}.${name}`, levels - 1);
      if (fault !== null) return fault;
    } else if (name === 'tool') {
      const toolStart = scan.at;
      const fault = readDefinition(scan, `${where()}.tool`);
      if (fault !== null) return fault;
      tally.toolBytes += scan.at - toolStart;
    } else if (name === 'cache_control') {
      const fault = readCacheControl(scan, () => `${where()}.cache_control`);
      if (fault !== null) return fault;
    } else scan.skip();
  }
  if (isCarried && type === 'thinking') tally.carriedThoughts.push(start);
  tallyBlock(type, source, tally);
  return null;
}

function readSource(scan: JsonScan, tally: BlocksTally, where: () => string, levels: number): Source | BodyFault {
  if (!scan.enterObject()) {
    scan.skip();
    return NO_SOURCE;
  }
  let type: string | null = null;
  let payloadBytes = 0;
  const seen = new Set<string>();
  while (scan.nextMember()) {
    const name = scan.keyIn(SOURCE_NAMES);
    if (name === undefined) {
      const meant = scan.lookalikeIn(SOURCE_NAMES);
      if (meant !== undefined) return memberFault(`${where()}.source`, meant, LOOKALIKE);
      scan.skip();
      continue;
    }
    if (seen.has(name)) return memberFault(`${where()}.source`, name, 'is given twice');
    seen.add(name);
    if (name === 'file_id' && scan.kind() !== 'null') return memberFault(`${where()}.source`, name, FILE_ID);
    if (name === 'type' && scan.kind() === 'string') type = scan.stringIn(SOURCE_TYPES) ?? null;
    else if (name === 'content') {
      const fault = readBlocks(scan, tally, `${where()}.source.content`, levels - 1);
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

function tallyBlock(type: BlockType | null, { type: source, payloadBytes }: Source, tally: BlocksTally): void {
  if (TURNS.includes(type)) tally.messages++;
  if (type === null) tally.files++;
  if (type !== 'image' && type !== 'document') return;
  // The text of a document is bounded by its bytes, and blocks in it count themselves.
  if (type === 'document' && (source === 'text' || source === 'content')) return;
  tally[MEDIA[type]]++;
  if (source === 'base64') tally.payloadBytes += payloadBytes;
}
