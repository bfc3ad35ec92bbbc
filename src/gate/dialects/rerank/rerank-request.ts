import { fieldFault, type BodyFault, type BodyResult } from '../../openai/body-fault.ts';
import type { JsonScan } from '../../openai/json-scan.ts';
import type { PricedIn } from '../../openai/known-fields.ts';
import { isMemberFault, MemberReader } from '../../openai/known-members.ts';
import {
  BodyReader,
  type FieldReader,
  into,
  isFault,
  readFlag,
  readModel,
  whole,
} from '../../openai/request-fields.ts';
import { UnknownFields } from '../../openai/unknown-fields.ts';
import type { NativeBody } from '../native-request.ts';
import { DOCUMENT_MEMBERS, RERANK_FIELDS } from './rerank-fields.ts';

/** A rerank request, parsed from its bytes; sizes are bytes of UTF-8. */
export interface RerankRequest extends NativeBody {
  /** The query, and the instruction if there is one: models read both with each document. */
  readonly querySize: number;
  readonly documentSizes: readonly number[];
}

/** As many as any provider takes. */
const DOCUMENTS_MAX = 10_000;
/** More than any query or instruction has. Each counts once per document, so this bounds the tokens of a request. */
const TEXT_BYTES_MAX = 65_536;
/** Three times what DOCUMENTS_MAX objects take. */
const STRUCTURE_MAX = 5_000_000;
const COUNT_MAX = 2 ** 31 - 1;

interface Draft {
  model: string;
  querySize: number;
  instructionSize: number;
  readonly documentSizes: number[];
  readonly unknown: UnknownFields;
}

const BODY = new BodyReader<Draft, PricedIn<typeof RERANK_FIELDS>>(STRUCTURE_MAX, RERANK_FIELDS, {
  model: into('model', readModel),
  query: into('querySize', readText),
  instruction: into('instructionSize', (scan, name) => (skipsNull(scan) ? 0 : readText(scan, name))),
  documents: readDocuments,
  top_n: checked(whole(0, COUNT_MAX)),
  return_documents: checked(readFlag),
  max_tokens_per_doc: checked(whole(1, COUNT_MAX)),
});

const DOCUMENT = new MemberReader(DOCUMENT_MEMBERS);

/** Parses a rerank request; unknown fields are listed. */
export function readRerankRequest(body: Buffer): BodyResult<RerankRequest> {
  const draft: Draft = {
    model: '',
    querySize: 0,
    instructionSize: 0,
    documentSizes: [],
    unknown: new UnknownFields(),
  };
  const layout = BODY.read(body, draft);
  if (!('members' in layout)) return { ok: false, fault: layout };
  const { model, querySize, instructionSize, documentSizes, unknown } = draft;
  const fault = findMissing(draft);
  if (fault !== null) return { ok: false, fault };
  const read = { body, model, querySize: querySize + instructionSize, documentSizes };
  return { ok: true, request: { ...read, unknown: unknown.list, layout } };
}

function findMissing({ model, querySize, documentSizes }: Draft): BodyFault | null {
  if (model === '') return fieldFault('model', "'model' is missing: name a rerank model.");
  if (querySize === 0) return fieldFault('query', "'query' is missing: give a text.");
  return documentSizes.length === 0 ? fieldFault('documents', "'documents' is missing: give a list of texts.") : null;
}

/** Checks a value whose content doesn't matter. */
function checked(read: (scan: JsonScan, name: string) => BodyFault | number | boolean | null): FieldReader<Draft> {
  return (scan, _draft, name) => {
    const value = read(scan, name);
    return isFault(value) ? value : null;
  };
}

function skipsNull(scan: JsonScan): boolean {
  if (scan.kind() !== 'null') return false;
  scan.skip();
  return true;
}

/** The size of a text that must not be empty. */
function readText(scan: JsonScan, param: string): number | BodyFault {
  const size = scan.kind() === 'string' ? scan.decodedBytes() : 0;
  if (size > 0 && size <= TEXT_BYTES_MAX) return size;
  return fieldFault(param, `'${param}' must be a text of 1 to ${TEXT_BYTES_MAX} bytes.`);
}

function readDocuments(scan: JsonScan, draft: Draft, param: string): BodyFault | null {
  const { documentSizes } = draft;
  if (scan.enterArray()) {
    while (scan.nextElement()) {
      if (documentSizes.length === DOCUMENTS_MAX) return wrongDocuments(param);
      const size = readDocument(scan, draft.unknown, () => `${param}[${documentSizes.length}]`);
      if (isFault(size)) return size;
      documentSizes.push(size);
    }
  }
  return documentSizes.length === 0 ? wrongDocuments(param) : null;
}

function wrongDocuments(param: string): BodyFault {
  return fieldFault(param, `'${param}' must be an array of 1 to ${DOCUMENTS_MAX} texts, or of objects with a 'text'.`);
}

/** The size of a document. If it repeats `text`, all count, because servers differ in which they read. */
function readDocument(scan: JsonScan, unknown: UnknownFields, where: () => string): number | BodyFault {
  if (scan.kind() === 'string') return scan.decodedBytes();
  let size: number | null = null;
  if (scan.enterObject()) {
    while (scan.nextMember()) {
      const judged = DOCUMENT.judge(scan, where, unknown);
      if (isMemberFault(judged)) return judged;
      if (judged === null) continue;
      if (scan.kind() !== 'string') return fieldFault(`${where()}.text`, `'${where()}.text' must be a string.`);
      size = (size ?? 0) + scan.decodedBytes();
    }
  }
  return size ?? fieldFault(where(), `'${where()}' must be a text, or an object with a 'text'.`);
}
