import { createHash } from 'node:crypto';
import type { Redaction } from '../../domain/sinks.ts';
import { withoutSensitive } from './sensitive-texts.ts';

// The JSON of prompts and answers, without what is not to be delivered. Images, audio and files are always replaced by their
// size and digest.

/** Fields whose texts are words of the API, not of people or models. Of other fields, `texts` leaves nothing. */
const API_WORDS = new Set(
  [
    'model role type object id status kind voice detail format media_type encoding_format ttl include truncation',
    'finish_reason stop_reason tool_choice tool_call_id tool_use_id call_id item_id previous_response_id',
    'service_tier reasoning_effort effort verbosity',
  ].flatMap((words) => words.split(' ')),
);
const WORD = /^[\w.:/@+-]{1,128}$/;

/** Fields whose objects callers or models have made up, names included. */
const MADE_UP = new Set('input arguments metadata parameters input_schema schema json_schema logit_bias'.split(' '));

const MEDIA_FIELDS = new Set(['data', 'file_data', 'b64_json', 'partial_image_b64', 'encrypted_content', 'embedding']);
const DATA_URL = /^data:([^;,]{0,100})[^,]{0,200},/;
/** Texts that are nothing else are no prose; shorter ones are, if their field does not say otherwise. */
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;
const BASE64_LENGTH_MIN = 1_024;
const MEDIA_LENGTH_MIN = 64;

/** A JSON value as it is delivered. */
export function redacted(value: unknown, redact: ReadonlySet<Redaction>): unknown {
  return redactedField('', value, redact);
}

function redactedField(field: string, value: unknown, redact: ReadonlySet<Redaction>): unknown {
  if (typeof value === 'string') return redactedText(field, value, redact);
  if (typeof value === 'number') return redactedNumber(value, redact);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    if (field === 'embedding') return `[${value.length} numbers]`;
    return value.map((item) => redactedField(typeof item === 'object' ? '' : field, item, redact));
  }
  if (redact.has('texts') && MADE_UP.has(field)) return hiddenText(JSON.stringify(value));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      redact.size === 0 ? name : withoutSensitive(name, redact),
      redactedField(name, inner, redact),
    ]),
  );
}

function redactedText(field: string, text: string, redact: ReadonlySet<Redaction>): string {
  const media = mediaIn(field, text);
  if (media !== null) return media;
  if (redact.has('texts') && !(API_WORDS.has(field) && WORD.test(text))) return hiddenText(text);
  return redact.size === 0 ? text : withoutSensitive(text, redact);
}

/** A number may be that of a card or a phone. */
function redactedNumber(number: number, redact: ReadonlySet<Redaction>): unknown {
  const text = String(number);
  const left = withoutSensitive(text, redact);
  return left === text ? number : left;
}

function hiddenText(text: string): string {
  return `[${text.length} characters]`;
}

/** The placeholder of an image, audio or a file; null if the text is none. */
function mediaIn(field: string, text: string): string | null {
  const head = text.startsWith('data:') ? DATA_URL.exec(text) : null;
  if (head !== null) return mediaSummary(head[1] === '' ? 'data' : (head[1] ?? 'data'), text.slice(head[0].length));
  const lengthMin = MEDIA_FIELDS.has(field) ? MEDIA_LENGTH_MIN : BASE64_LENGTH_MIN;
  return text.length >= lengthMin && BASE64.test(text) ? mediaSummary('base64', text) : null;
}

function mediaSummary(kind: string, base64: string): string {
  const bytes = Buffer.from(base64, 'base64');
  return `[${kind}, ${bytes.length} bytes, sha256 ${createHash('sha256').update(bytes).digest('hex')}]`;
}
