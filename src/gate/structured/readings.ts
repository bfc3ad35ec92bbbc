import { JsonScan } from '../openai/json-scan.ts';

// Candidates for the JSON in a model's text. Models that aren't restricted to a format put their JSON into a code
// fence, or write a sentence before it. Removing that is free; asking again costs another answer.

/** The end of a model's thoughts in its content. */
const THOUGHTS_END = '</think>';
const THOUGHTS_START = '<think>';

const FENCE_START = /```[\w-]*[ \t]*\r?\n/g;
const FENCE_END = '```';

/** A text with more fences or brackets than this isn't an answer with a little text around it. */
const PLACES_MAX = 64;

/**
 * The readings of a text, the most likely first; the trimmed text itself is always among them. If two parts of it
 * could be the answer, neither is a reading: the model must be asked again.
 */
export function* readingsOf(text: string): Generator<string, void> {
  const whole = trimmed(text);
  yield whole;
  const spoken = trimmed(withoutThoughts(whole));
  if (spoken !== whole) yield spoken;
  const fenced = fencedPart(spoken);
  if (fenced !== null) {
    yield fenced;
    return;
  }
  const embedded = embeddedPart(spoken);
  if (embedded !== null && embedded !== spoken) yield embedded;
}

const SPACE = ' \t\r\n';

/** The text without surrounding JSON white space. `before`: other characters to remove at the beginning. */
export function withoutSpaceAround(text: string, before = ''): string {
  let [start, end] = [0, text.length];
  while (start < end && (before + SPACE).includes(text.charAt(start))) start++;
  while (start < end && SPACE.includes(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/** The same, also without the byte order mark that some writers begin with. */
function trimmed(text: string): string {
  return withoutSpaceAround(text, '\uFEFF');
}

function withoutThoughts(text: string): string {
  if (!text.startsWith(THOUGHTS_START)) return text;
  const end = text.indexOf(THOUGHTS_END);
  return end === -1 ? text : text.slice(end + THOUGHTS_END.length);
}

/** The content of the only fence; null if there is none, or more than one. */
function fencedPart(text: string): string | null {
  const first = fenceFrom(text, 0);
  if (first === null || fenceFrom(text, first.end) !== null) return null;
  return trimmed(text.slice(first.start, first.end - FENCE_END.length));
}

/** The start of the content of the next fence, and the fence's end; null if no complete fence begins after `at`. */
function fenceFrom(text: string, at: number): { readonly start: number; readonly end: number } | null {
  FENCE_START.lastIndex = at;
  if (FENCE_START.exec(text) === null) return null;
  const start = FENCE_START.lastIndex;
  const end = text.indexOf(FENCE_END, start);
  return end === -1 ? null : { start, end: end + FENCE_END.length };
}

/** The only JSON object or array in the text; null if there is none, or more than one. */
function embeddedPart(text: string): string | null {
  const bytes = Buffer.from(text);
  let found: string | null = null;
  let at = 0;
  for (let places = 0; places < PLACES_MAX; places++) {
    const start = nextBracket(bytes, at);
    if (start === -1) return found;
    const end = endOfValue(bytes, start);
    if (end === null) {
      at = start + 1;
      continue;
    }
    if (found !== null) return null;
    found = bytes.toString('utf8', start, end);
    at = end;
  }
  return null;
}

function nextBracket(bytes: Buffer, from: number): number {
  const brace = bytes.indexOf('{', from);
  const bracket = bytes.indexOf('[', from);
  if (brace === -1 || bracket === -1) return Math.max(brace, bracket);
  return Math.min(brace, bracket);
}

function endOfValue(bytes: Buffer, start: number): number | null {
  const scan = new JsonScan(bytes.subarray(start));
  scan.skip();
  return scan.fault === null ? start + scan.at : null;
}
