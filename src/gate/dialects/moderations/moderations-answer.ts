import { type AnswerFacts, INVALID_ANSWER } from '../../openai/chat-answer.ts';
import { NameTable } from '../../openai/json-names.ts';
import { JsonScan, type PassedValues } from '../../openai/json-scan.ts';
import { inputAlone, readUsage, type ReportedUsage } from '../../openai/usage.ts';

// Answers of moderations: a result for each input. OpenAI reports no usage; a server may.

const ANSWER_NAMES = new NameTable(['results', 'usage']);
const RESULT_NAMES = new NameTable(['flagged']);

/** More than any `usage` has. */
const PARSED_BYTES_MAX = 65_536;
/** More structure than the results of as many inputs as a request has. */
const STRUCTURE_MAX = 16_000_000;

/** Reads an answer's body, and checks all of it that hasn't been passed. It is valid only with a list of judgements. */
export function readModerationsAnswer(body: Buffer, passed: PassedValues | null = null): AnswerFacts {
  let [hasResults, usage] = [false, null as ReportedUsage | null];
  const scan = new JsonScan(body, STRUCTURE_MAX, passed);
  if (!scan.enterObject()) return INVALID_ANSWER;
  while (scan.nextMember()) {
    switch (scan.keyIn(ANSWER_NAMES)) {
      case 'results':
        if (!readResults(scan)) return INVALID_ANSWER;
        hasResults = true;
        break;
      case 'usage':
        usage = inputAlone(readUsage(scan.parsed(PARSED_BYTES_MAX)));
        break;
      case undefined:
        scan.skip();
    }
  }
  if (!scan.finish() || !hasResults) return INVALID_ANSWER;
  return { valid: true, error: null, usage, choices: 0, contentBytes: 0 };
}

/** Passes over a list of results. False if it is empty, or if a result doesn't say whether its input is flagged. */
function readResults(scan: JsonScan): boolean {
  if (!scan.enterArray()) return false;
  let count = 0;
  while (scan.nextElement()) {
    if (!scan.enterObject()) return false;
    count++;
    let isJudged = false;
    while (scan.nextMember()) {
      if (scan.keyIn(RESULT_NAMES) !== undefined) isJudged = scan.kind() === 'boolean';
      scan.skip();
    }
    if (!isJudged) return false;
  }
  return count > 0;
}
