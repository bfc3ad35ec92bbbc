import type { NanoUsd } from './money.ts';
import type { Fees, Price, Rates, TierPrice } from './price.ts';
import { inEachTier } from './service-tier.ts';
import { TOKEN_CLASSES, type TokenClass } from './usage.ts';
import { USE_CLASSES } from './uses.ts';

// A workspace may pay more or less than the list price: by a part of each rate and fee, in basis points (hundredths of a percent),
// above zero for a mark-up and below for a discount.

const BASIS_POINTS = 10_000n;

/** A discount of everything, and a mark-up to ten times the list price. */
export const BASIS_POINTS_MIN = -10_000;
export const BASIS_POINTS_MAX = 90_000;

/** The adjustment that made a workspace's own price version, and the list price's version that it was applied to. */
export interface AppliedAdjustment {
  readonly id: string;
  readonly basisPoints: number;
  readonly listVersion: number;
}

/** The JSON fields of an applied adjustment. */
export function adjustmentFields({ id, basisPoints, listVersion }: AppliedAdjustment) {
  return { id, change_percent: formatPercent(basisPoints), list_price_version: listVersion };
}

/** The price of a price version. */
export interface VersionPrice {
  readonly price: Price;
  /** Null: it is a list price. */
  readonly adjustment: AppliedAdjustment | null;
}

/** A rate or fee after the adjustment, rounded up to one nano-USD, per million tokens or per use. */
export function adjustedRate(rate: NanoUsd, basisPoints: number): NanoUsd {
  return (rate * (BASIS_POINTS + BigInt(basisPoints)) + BASIS_POINTS - 1n) / BASIS_POINTS;
}

/** The price with each rate of each tier, and each fee, adjusted; tiers begin at the same input. */
export function adjustedPrice({ rates, tiers, fees, serviceTiers }: Price, basisPoints: number): Price {
  const adjusted = (price: TierPrice): TierPrice => ({
    rates: adjustedRates(price.rates, basisPoints),
    tiers: price.tiers.map((tier) => ({ ...tier, rates: adjustedRates(tier.rates, basisPoints) })),
  });
  return {
    ...adjusted({ rates, tiers }),
    ...(fees && { fees: adjustedFees(fees, basisPoints) }),
    ...(serviceTiers && { serviceTiers: inEachTier(serviceTiers, adjusted) }),
  };
}

function adjustedRates(rates: Rates, basisPoints: number): Rates {
  const entries = TOKEN_CLASSES.map((tokenClass) => [tokenClass, adjustedRate(rates[tokenClass], basisPoints)]);
  return Object.fromEntries(entries) as Record<TokenClass, NanoUsd>;
}

function adjustedFees(fees: Fees, basisPoints: number): Fees {
  const entries = USE_CLASSES.flatMap((useClass) => {
    const fee = fees[useClass];
    return fee === undefined ? [] : [[useClass, adjustedRate(fee, basisPoints)] as const];
  });
  return Object.fromEntries(entries);
}

const PERCENT = /^(-?)(\d{1,3})(?:\.(\d{1,2}))?$/;

/** Reads a percentage with at most two decimals ("-10", "12.5") as basis points; null if it isn't one or is out of range. */
export function parsePercent(text: string): number | null {
  const match = PERCENT.exec(text);
  if (match === null) return null;
  const [, sign, whole = '0', fraction = ''] = match;
  const magnitude = Number(whole) * 100 + Number(fraction.padEnd(2, '0'));
  const basisPoints = sign === '-' && magnitude > 0 ? -magnitude : magnitude;
  return basisPoints < BASIS_POINTS_MIN || basisPoints > BASIS_POINTS_MAX ? null : basisPoints;
}

/** Writes basis points as a percentage: -1250 → "-12.5". */
export function formatPercent(basisPoints: number): string {
  const magnitude = Math.abs(basisPoints);
  const fraction = String(magnitude % 100)
    .padStart(2, '0')
    .replace(/0{1,2}$/, '');
  return `${basisPoints < 0 ? '-' : ''}${Math.floor(magnitude / 100)}${fraction === '' ? '' : `.${fraction}`}`;
}
