import type { ModelTerms } from './model.ts';
import type { NanoUsd } from './money.ts';
import { feesMax, highestRate, isFree } from './price.ts';
import { INPUT_CLASSES, OUTPUT_CLASSES } from './usage.ts';
import { heaviestUses, type UsesBound } from './uses.ts';

// An upper bound of a request's cost, computed without a tokenizer: a token is at least one byte of UTF-8, so bytes
// bound tokens; margins bound what templates add, and the model's own caps bound media.

/** The parts of the input; `textBytes` leaves media payloads out. */
export interface InputExtent {
  readonly textBytes: number;
  readonly messages: number;
  readonly images: number;
  readonly audios: number;
  readonly files: number;
  /** The number of separate prompts, each of which may fill the model's context; absent: one. */
  readonly prompts?: number;
}

/** One way to run a request: `cap` output tokens per choice, and the hold for it. */
export interface Quote {
  readonly inputTokensMax: number;
  readonly cap: number;
  readonly hold: NanoUsd;
  /** The part of the hold that is for uses, and not for tokens. */
  readonly fees: NanoUsd;
  /**
   * The cap is lower than the model's maximum because of the money or of a maximum cost, not because the caller named
   * it.
   */
  readonly shortened: boolean;
}

const TOKENS_PER_MESSAGE = 16;
const TOKENS_PER_TEMPLATE = 1_024;
const TOKENS_PER_INPUT = 2;
const CAP_FLOOR = 4_096;
const TOKENS_PER_RATE = 1_000_000n;

/** The classes of input and output without audio. */
const SILENT_INPUT = INPUT_CLASSES.filter((tokenClass) => tokenClass !== 'audio_input');
const SILENT_OUTPUT = OUTPUT_CLASSES.filter((tokenClass) => tokenClass !== 'audio_output');

/** The most input tokens that a chat request can count for. */
export function promptTokensMax(terms: ModelTerms, extent: InputExtent): number {
  const { imageTokens, audioTokens, fileTokens } = terms.media;
  const media =
    extent.images * (imageTokens ?? terms.contextWindow) +
    extent.audios * (audioTokens ?? terms.contextWindow) +
    extent.files * (fileTokens ?? terms.contextWindow);
  const bound = extent.textBytes + extent.messages * TOKENS_PER_MESSAGE + TOKENS_PER_TEMPLATE + media;
  return Math.min(bound, (extent.prompts ?? 1) * terms.contextWindow);
}

/** The most input tokens that uses of the tools on offer add to a request's own. */
export function usesInputMax({ tools = {}, contextWindow }: ModelTerms, bound: UsesBound): number {
  return Number(heaviestUses(bound, (tool) => BigInt(tools[tool]?.inputTokens ?? contextWindow)));
}

/** The most input tokens that inputs of these sizes (bytes or tokens each) can count for together. */
export function separateTokensMax(terms: ModelTerms, inputSizes: readonly number[]): number {
  return inputSizes.reduce((sum, size) => sum + Math.min(size + TOKENS_PER_INPUT, terms.contextWindow), 0);
}

/** The most that the input can cost, in millionths of a nano-USD. */
function scaledInput({ price }: ModelTerms, inputMax: number, { isInputSilent }: QuotedContent): bigint {
  return BigInt(inputMax) * highestRate(price, isInputSilent === true ? SILENT_INPUT : INPUT_CLASSES, inputMax);
}

/** The highest rate that output can have. */
function outputRate({ price }: ModelTerms, inputMax: number, { isOutputSilent }: QuotedContent): NanoUsd {
  return highestRate(price, isOutputSilent === true ? SILENT_OUTPUT : OUTPUT_CLASSES, inputMax);
}

function roundedUp(scaled: bigint): NanoUsd {
  return (scaled + TOKENS_PER_RATE - 1n) / TOKENS_PER_RATE;
}

/** The hold of a request without output: its input bound at the highest rate, and the fee of `requestsMax` requests. */
export function quoteInput(terms: ModelTerms, inputMax: number, requestsMax = 1): Quote {
  const fees = feesMax(terms.price, null, requestsMax);
  const hold = roundedUp(scaledInput(terms, inputMax, {})) + fees;
  return { inputTokensMax: inputMax, cap: 0, hold, fees, shortened: false };
}

/** The least hold of any request to a model with these terms, for any body. */
export function leastHold(terms: ModelTerms): NanoUsd {
  const tokens = terms.kind === 'chat' ? TOKENS_PER_TEMPLATE : TOKENS_PER_INPUT;
  const input = scaledInput(terms, Math.min(tokens, terms.contextWindow), { isInputSilent: true });
  return roundedUp(input) + feesMax(terms.price, null);
}

/** Facts about input and output in addition to their bounds. If absent, either may be audio, and costs as such. */
export interface QuotedContent {
  /** Nothing in the input can be audio. */
  readonly isInputSilent?: boolean;
  /** No audio output was requested. */
  readonly isOutputSilent?: boolean;
  /** Output tokens of one choice that no cap bounds. */
  readonly outputBeside?: number | undefined;
}

/** Options that few requests have. */
interface QuotedBeside extends QuotedContent {
  /**
   * Lowers caps that the caller hasn't set until their holds are within it, down to one token: if that still costs
   * more, the quotes show it by their holds.
   */
  readonly maxCost?: NanoUsd | null;
  /** Bounds the uses of the offered tools; the input that they add is part of `inputMax`. */
  readonly usesBound?: UsesBound | null;
}

/**
 * The ways to run a chat request, the best first; the last is the one worth waiting for. A maximum set by the caller
 * is used unchanged. Otherwise a quarter of the available money sets the cap, between a floor and the model's maximum,
 * and the floor itself is the second choice. `available` is the least among the limited purses as last seen, null if
 * none is limited.
 */
export function quoteChat(
  terms: ModelTerms,
  inputMax: number,
  choices: number,
  maxTokens: number | null,
  available: NanoUsd | null,
  { maxCost = null, usesBound = null, ...content }: QuotedBeside = {},
): readonly [Quote, ...Quote[]] {
  const fees = feesMax(terms.price, usesBound);
  const input = scaledInput(terms, inputMax, content);
  const rate = outputRate(terms, inputMax, content);
  const { outputBeside = 0 } = content;
  const quote = (cap: number): Quote => ({
    inputTokensMax: inputMax,
    cap,
    hold: roundedUp(input + BigInt(choices * (cap + outputBeside)) * rate) + fees,
    fees,
    shortened: maxTokens === null && cap < terms.maxOutput,
  });
  if (maxTokens !== null) return [quote(maxTokens)];
  const most =
    maxCost === null ? terms.maxOutput : (largestCapWithin(terms, inputMax, choices, maxCost - fees, content) ?? 1);
  const floor = Math.min(most, CAP_FLOOR);
  if (isFree(terms.price) || rate === 0n || available === null) return [quote(most)];
  const affordable = ((available / 4n) * TOKENS_PER_RATE) / (BigInt(choices) * rate);
  const cap = affordable >= BigInt(most) ? most : Math.max(floor, Number(affordable));
  return cap === floor ? [quote(cap)] : [quote(cap), quote(floor)];
}

/** The largest cap per choice whose hold for tokens fits into `available`; null if not even one token does. */
export function largestCapWithin(
  terms: ModelTerms,
  inputMax: number,
  choices: number,
  available: NanoUsd,
  content: QuotedContent = {},
): number | null {
  const rate = outputRate(terms, inputMax, content);
  const { outputBeside = 0 } = content;
  const beside = BigInt(choices * outputBeside) * rate;
  const left = available * TOKENS_PER_RATE - scaledInput(terms, inputMax, content) - beside;
  if (left < 0n) return null;
  if (rate === 0n) return terms.maxOutput;
  const cap = left / (BigInt(choices) * rate);
  if (cap < 1n) return null;
  return cap >= BigInt(terms.maxOutput) ? terms.maxOutput : Number(cap);
}
