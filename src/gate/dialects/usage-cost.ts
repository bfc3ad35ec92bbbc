import { formatUsd, type NanoUsd } from '../../domain/money.ts';
import { inputTokens, outputTokens, type TokenCounts } from '../../domain/usage.ts';
import { applySplices, readObject, type Splice } from '../openai/json-edit.ts';
import { JsonScan } from '../openai/json-scan.ts';

// Adds the charge to an answer as `usage.cost`, where clients find it without a header or a comment. It is spliced in,
// so that every other byte is unchanged.

/** The charge of an answer. */
export interface Settled {
  readonly charge: NanoUsd;
  /** The token counts that were charged. */
  readonly tokens: TokenCounts;
  /** Whether the caller wants the charge in the answer's usage. */
  readonly inUsage: boolean;
}

/** The place of usage in an API's answers. */
export interface UsageForm {
  /** The member of a stream's event that has it; null if the event itself has it. */
  readonly within: string | null;
  /** A member that every event with usage has. */
  readonly mark: string;
  /** The usage to add to an answer without any. */
  readonly usageOf: (input: number, output: number) => object;
}

export const CHAT_USAGE: UsageForm = {
  within: null,
  mark: 'choices',
  usageOf: (input, output) => ({
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
  }),
};

export const EMBEDDINGS_USAGE: UsageForm = {
  within: null,
  mark: 'data',
  usageOf: (input) => ({ prompt_tokens: input, total_tokens: input }),
};

/** Of answers with a list of results, which have no output. */
export const RESULTS_USAGE: UsageForm = { ...EMBEDDINGS_USAGE, mark: 'results' };

export const MESSAGES_USAGE: UsageForm = {
  within: null,
  mark: 'delta',
  usageOf: (input, output) => ({ input_tokens: input, output_tokens: output }),
};

export const RESPONSES_USAGE: UsageForm = {
  within: 'response',
  mark: 'response',
  usageOf: (input, output) => ({
    input_tokens: input,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  }),
};

/** More members than any answer or event has, and more structure than any answer that is read. */
const MEMBERS_MAX = 256;
const STRUCTURE_MAX = 16_000_000;

/** An object in a document, and the edit that adds its cost. */
interface CostPlace {
  readonly hasUsage: boolean;
  readonly splice: (settled: Settled) => Splice;
}

/** The place of the cost in the object that `bytes` has from `start` to `end`; null if there is no such object. */
function placeIn(bytes: Buffer, start: number, end: number, usageOf: UsageForm['usageOf']): CostPlace | null {
  const object = objectAt(bytes, start, end);
  if (object === null) return null;
  const usage = object.findLast('usage');
  const counted = usage === null ? null : objectAt(bytes, usage.start, usage.end);
  if (counted !== null) {
    const cost = counted.findLast('cost');
    return {
      hasUsage: true,
      splice: ({ charge }) => counted.put('cost', cost, JSON.stringify(formatUsd(charge))),
    };
  }
  return {
    hasUsage: false,
    splice: ({ charge, tokens }) => {
      const made = { ...usageOf(inputTokens(tokens), outputTokens(tokens)), cost: formatUsd(charge) };
      return object.put('usage', usage, JSON.stringify(made));
    },
  };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** An object whose members can be found, replaced and added. */
interface EditedObject {
  findLast(key: string): Span | null;
  put(key: string, former: Span | null, value: string): Splice;
}

function objectAt(bytes: Buffer, start: number, end: number): EditedObject | null {
  const scan = new JsonScan(bytes.subarray(start, end), STRUCTURE_MAX);
  const object = readObject(scan, MEMBERS_MAX);
  if (object === null || scan.fault !== null) return null;
  const last = object.members.at(-1);
  const endOfLast = start + (last?.valueEnd ?? object.start + 1);
  return {
    findLast: (key) => {
      const member = object.members.findLast((each) => each.key === key);
      return member === undefined ? null : { start: start + member.valueStart, end: start + member.valueEnd };
    },
    put: (key, former, value) =>
      former === null
        ? { start: endOfLast, end: endOfLast, text: `${last === undefined ? '' : ','}${JSON.stringify(key)}:${value}` }
        : { ...former, text: value },
  };
}

/**
 * Finds the place for the cost in a whole answer, which has been checked as JSON. The returned function writes it; an
 * answer that isn't an object is unchanged.
 */
export function costWriter(answer: Buffer, { usageOf }: UsageForm): (settled: Settled) => Buffer {
  const place = placeIn(answer, 0, answer.length, usageOf);
  return (settled) => (place === null ? answer : applySplices(answer, [place.splice(settled)]));
}

/**
 * The last payloads of a stream with the cost in the last one that has usage; if none has, in the last that may have it.
 */
export function withCost(
  payloads: readonly Buffer[],
  { within, mark, usageOf }: UsageForm,
  settled: Settled,
): readonly Buffer[] {
  const places = payloads.map((payload) => {
    const marked = objectAt(payload, 0, payload.length)?.findLast(mark) ?? null;
    if (marked === null) return null;
    const { start, end } = within === null ? { start: 0, end: payload.length } : marked;
    return placeIn(payload, start, end, usageOf);
  });
  const counted = places.findLastIndex((place) => place?.hasUsage === true);
  const at = counted === -1 ? places.findLastIndex((place) => place !== null) : counted;
  return payloads.map((payload, index) => {
    const place = index === at ? places[at] : null;
    return place ? applySplices(payload, [place.splice(settled)]) : payload;
  });
}
