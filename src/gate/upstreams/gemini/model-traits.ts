import type { Writable } from '../json-text.ts';

// Differences between generations of Gemini's models, by their names. An unknown name counts as a model of the newest
// generation.

export interface ModelTraits {
  /** How thinking is set: in tokens up to Gemini 2.5, by level since Gemini 3. */
  readonly thinks: 'by_budget' | 'by_level';
  /** The lowest level; Pro models have no lower one than LOW. */
  readonly leastLevel: 'MINIMAL' | 'LOW';
  /** Whether calls of earlier turns require a thought signature, as since Gemini 3. */
  readonly needsSignatures: boolean;
}

const OLDER = /(^|\/)gemini-(1|2)(\.\d+)?(-|$)/;
const GEMINI = /(^|\/)gemini-/;
const PRO = /-pro(-|$)/;

/** The traits of a model by the provider's name of it. */
export function traitsOf(model: string): ModelTraits {
  const name = model.toLowerCase();
  const isOlder = OLDER.test(name);
  return {
    thinks: isOlder ? 'by_budget' : 'by_level',
    leastLevel: PRO.test(name) ? 'LOW' : 'MINIMAL',
    needsSignatures: GEMINI.test(name) && !isOlder,
  };
}

interface Effort {
  /** Tokens. */
  readonly budget: number;
  readonly level: 'MINIMAL' | 'LOW' | 'MEDIUM' | 'HIGH';
}

/**
 * The mapping of efforts in Google's own OpenAI endpoint; for other efforts, the nearest one that it maps. Thinking
 * can't be turned off if it is set by level, so `none` is the lowest level there.
 */
const EFFORTS: Readonly<Record<string, Effort>> = {
  none: { budget: 0, level: 'MINIMAL' },
  minimal: { budget: 1_024, level: 'MINIMAL' },
  low: { budget: 1_024, level: 'LOW' },
  medium: { budget: 8_192, level: 'MEDIUM' },
  high: { budget: 24_576, level: 'HIGH' },
  xhigh: { budget: 24_576, level: 'HIGH' },
  max: { budget: 24_576, level: 'HIGH' },
};

/** The smallest budget that every model accepts. */
const BUDGET_MIN = 512;

/**
 * The thinking settings for an effort, with thoughts included in the answer; null if the effort is unknown. The budget
 * is at most half of the cap, which also counts thoughts, so that the other half is left for output.
 */
export function thinkingConfigOf(
  effort: string,
  { thinks, leastLevel }: ModelTraits,
  maxTokens: number | null,
): Writable | null {
  const known = Object.hasOwn(EFFORTS, effort) ? EFFORTS[effort] : undefined;
  if (known === undefined) return null;
  const level = known.level === 'MINIMAL' ? leastLevel : known.level;
  const room = Math.max(Math.floor((maxTokens ?? Infinity) / 2), BUDGET_MIN);
  const amount = thinks === 'by_budget' ? { thinkingBudget: Math.min(known.budget, room) } : { thinkingLevel: level };
  return { ...amount, includeThoughts: effort === 'none' ? undefined : true };
}
