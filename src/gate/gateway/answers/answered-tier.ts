import type { AnsweredTier } from '../../../domain/service-tier.ts';
import { JsonScan } from '../../openai/json-scan.ts';
import type { Admission } from '../admit.ts';

// The service tier that an answer names: of OpenAI's APIs at the top or in `response`, of messages in `usage`. It is looked
// for in answers of models alone that have prices for tiers.

const NAMES: Readonly<Record<string, AnsweredTier>> = {
  default: 'standard',
  standard: 'standard',
  flex: 'flex',
  priority: 'priority',
  fast: 'priority',
};

const ENVELOPES: readonly string[] = ['response', 'message', 'usage'];

const [TIER, SPEED] = ['service_tier', 'speed'];

/** Whether answers to this request may be charged at another tier than the standard one. */
export function hasTiers({ model }: Pick<Admission, 'model'>): boolean {
  return model.terms.price.serviceTiers !== undefined;
}

/** The tier that a whole answer or an event names; null if it names none. */
export function tierIn(payload: Buffer): AnsweredTier {
  if (!payload.includes(TIER) && !payload.includes(SPEED)) return null;
  const scan = new JsonScan(payload);
  const named = { tier: null as AnsweredTier, isFast: false };
  if (scan.enterObject()) readNames(scan, named);
  return named.isFast ? 'fast' : named.tier;
}

function readNames(scan: JsonScan, named: { tier: AnsweredTier; isFast: boolean }): void {
  while (scan.nextMember()) {
    const key = scan.key();
    if (ENVELOPES.includes(key) && scan.enterObject()) readNames(scan, named);
    else if ((key === TIER || key === SPEED) && scan.kind() === 'string') {
      const name = scan.string();
      if (key === TIER) named.tier = NAMES[name] ?? named.tier;
      else named.isFast = name === 'fast';
    } else scan.skip();
  }
}
