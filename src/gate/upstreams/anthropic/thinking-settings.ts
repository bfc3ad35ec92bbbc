import { Untranslatable } from '../../openai/untranslatable.ts';

// The model's thinking effort, which each generation of models takes in another form. Models from 4.6 on decide by
// themselves how much to think, at a given effort; earlier ones get a budget of tokens.

export interface ThinkingSettings {
  readonly thinking?: object;
  readonly effort?: string;
}

export interface ThinkingQuestion {
  /** The caller's `reasoning_effort`. */
  readonly effort: unknown;
  readonly model: string;
  /** The cap on output, which thinking counts towards. */
  readonly maxTokens: number;
  /** Whether the model must call a tool, which is impossible with thinking. */
  readonly isForced: boolean;
  /** Whether the latest answer called tools and its thoughts are missing: then thinking can't continue. */
  readonly hasLostThread: boolean;
}

const EFFORTS: Readonly<Record<string, string>> = {
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'xhigh',
  max: 'max',
};

/** The share of the output that may be thought, in percent. */
const BUDGET_PERCENT: Readonly<Record<string, number>> = {
  minimal: 10,
  low: 20,
  medium: 50,
  high: 80,
  xhigh: 95,
  max: 95,
};

/** The API accepts no smaller budget. */
const BUDGET_MIN = 1_024;

/** The first generation that decides by itself how much to think. */
const ADAPTIVE_SINCE = 4.6;

/** The generation in a model's id, such as 4.5 in `claude-opus-4-5-20251101`; null if it names none. */
function generationOf(model: string): number | null {
  const match = /claude-(?:[a-z]+-)?(\d{1,2})(?:-(\d{1,2}))?(?!\d)/.exec(model);
  return match === null ? null : Number(`${match[1]}.${match[2] ?? 0}`);
}

function budgeted(effort: string, { maxTokens, isForced, hasLostThread }: ThinkingQuestion): ThinkingSettings {
  const share = Math.floor((maxTokens * (BUDGET_PERCENT[effort] ?? 0)) / 100);
  const budget = Math.min(Math.max(share, BUDGET_MIN), maxTokens - 1);
  if (budget < BUDGET_MIN || isForced || hasLostThread) return {};
  return { thinking: { type: 'enabled', budget_tokens: budget } };
}

/** The settings for a `reasoning_effort`; none if there is none. @throws Untranslatable */
export function thinkingSettings(question: ThinkingQuestion): ThinkingSettings {
  const { effort: asked, model, isForced } = question;
  if (asked === undefined || asked === null) return {};
  const generation = generationOf(model);
  const isAdaptive = generation === null || generation >= ADAPTIVE_SINCE;
  if (asked === 'none') return isAdaptive ? { thinking: { type: 'disabled' } } : {};
  const effort = typeof asked === 'string' && Object.hasOwn(EFFORTS, asked) ? EFFORTS[asked] : undefined;
  if (typeof asked !== 'string' || effort === undefined) {
    throw new Untranslatable(
      'reasoning_effort',
      "'reasoning_effort' must be none, minimal, low, medium, high, xhigh or max.",
    );
  }
  if (!isAdaptive) return budgeted(asked, question);
  // Newer models return no thoughts unless a summary is requested.
  return { effort, ...(isForced ? {} : { thinking: { type: 'adaptive', display: 'summarized' } }) };
}
