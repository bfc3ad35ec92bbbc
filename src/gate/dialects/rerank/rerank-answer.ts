import { type AnswerFacts, INVALID_ANSWER } from '../../openai/chat-answer.ts';
import { skipWhole } from '../../openai/json-grammar.ts';
import { isObject } from '../../openai/json-object.ts';
import { NameTable } from '../../openai/json-names.ts';
import { JsonScan, type PassedValues } from '../../openai/json-scan.ts';
import { inputAlone, readUsage, type ReportedUsage } from '../../openai/usage.ts';
import { USES_MAX } from '../../../domain/uses.ts';

// Answers in the form of Cohere, Jina and vLLM: a list of results, and the billed tokens or search units.

const ANSWER_NAMES = new NameTable(['results', 'usage', 'meta']);
const RESULT_NAMES = new NameTable(['index', 'relevance_score']);

/** More than any `usage` or `meta` has. */
const PARSED_BYTES_MAX = 65_536;
/** More than the index of any document has. */
const INDEX_DIGITS_MAX = 9;
/** More structure than the results of as many documents as a request has. */
const STRUCTURE_MAX = 8_000_000;

interface Draft {
  hasResults: boolean;
  usage: ReportedUsage | null;
  requests: number | null;
}

/** Reads an answer's body, and checks all of it that hasn't been passed. It is valid only with a list of scored documents. */
export function readRerankAnswer(body: Buffer, passed: PassedValues | null = null): AnswerFacts {
  const draft: Draft = { hasResults: false, usage: null, requests: null };
  const scan = new JsonScan(body, STRUCTURE_MAX, passed);
  if (!scan.enterObject()) return INVALID_ANSWER;
  while (scan.nextMember()) {
    switch (scan.keyIn(ANSWER_NAMES)) {
      case 'results':
        if (!readResults(scan)) return INVALID_ANSWER;
        draft.hasResults = true;
        break;
      case 'usage':
        draft.usage = inputAlone(readUsage(scan.parsed(PARSED_BYTES_MAX)));
        break;
      case 'meta':
        draft.requests = searchUnits(scan.parsed(PARSED_BYTES_MAX));
        break;
      case undefined:
        scan.skip();
    }
  }
  if (!scan.finish() || !draft.hasResults) return INVALID_ANSWER;
  const { usage, requests } = draft;
  return { valid: true, error: null, usage, choices: 0, contentBytes: 0, ...(requests !== null && { requests }) };
}

/** Passes over a list of results. False if it is empty, or if a result lacks its document's index or its score. */
function readResults(scan: JsonScan): boolean {
  if (!scan.enterArray()) return false;
  let count = 0;
  while (scan.nextElement()) {
    if (!scan.enterObject()) return false;
    count++;
    let [hasIndex, hasScore] = [false, false];
    while (scan.nextMember()) {
      switch (scan.keyIn(RESULT_NAMES)) {
        case 'index':
          hasIndex = skipIndex(scan);
          break;
        case 'relevance_score':
          hasScore = scan.kind() === 'number';
          scan.skip();
          break;
        case undefined:
          scan.skip();
      }
    }
    if (!hasIndex || !hasScore) return false;
  }
  return count > 0;
}

/** Passes over the value here. False if it isn't a whole number. */
function skipIndex(scan: JsonScan): boolean {
  const end = skipWhole(scan.bytes, scan.at, INDEX_DIGITS_MAX);
  scan.skip();
  return end === scan.at;
}

/** The search units that Cohere bills; null if it reports no usable number. */
function searchUnits(meta: unknown): number | null {
  const billed = isObject(meta) ? meta['billed_units'] : null;
  const units = isObject(billed) ? billed['search_units'] : null;
  return typeof units === 'number' && Number.isInteger(units) && units > 0 && units <= USES_MAX ? units : null;
}
