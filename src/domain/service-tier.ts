// A provider serves a request faster, or later, than others at another price.

/** Tiers other than the standard one. `fast` is Anthropic's `speed`; OpenAI's `fast` is another word for `priority`. */
export const SERVICE_TIERS = ['flex', 'priority', 'fast'] as const;

export type ServiceTier = (typeof SERVICE_TIERS)[number];

/** The tier that a request names; null if the provider chooses one. */
export type RequestedTier = ServiceTier | 'standard' | null;

/** The tier that an answer names; null if it names none. */
export type AnsweredTier = ServiceTier | 'standard' | null;

/** A tier that a caller must name to be served in it, and that a model must have a price for; null if it names none. */
export function demandedTier(requested: RequestedTier): ServiceTier | null {
  return requested === 'standard' ? null : requested;
}

/** Converts the value of each tier, in the order of their names. */
export function inEachTier<From, To>(
  given: Readonly<Partial<Record<ServiceTier, From>>>,
  convert: (value: From, tier: ServiceTier) => To,
): Partial<Record<ServiceTier, To>> {
  const entries = SERVICE_TIERS.flatMap((tier) => {
    const value = given[tier];
    return value === undefined ? [] : [[tier, convert(value, tier)] as const];
  });
  return Object.fromEntries(entries);
}
