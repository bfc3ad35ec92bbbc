import { z } from '@hono/zod-openapi';

// Fields shared by the parts of the contract. Answers have every amount twice: as digits of nano-USD for programs
// (`_nano_usd`) and as decimal USD for people (`_usd`). Requests have decimal USD in a string, so that no JSON number
// rounds it.

const DECIMAL_HELP = 'a decimal string of USD such as "5.00", with at most nine digits before the point and nine after';

function usd(pattern: RegExp, range: string) {
  const error = `must be ${DECIMAL_HELP}, ${range}`;
  return z.string({ error }).regex(pattern, error).openapi({ example: '5.00' });
}

export const positiveUsd = usd(/^(?![0.]{1,19}$)\d{1,9}(?:\.\d{1,9})?$/, 'above zero');
export const limitUsd = usd(/^\d{1,9}(?:\.\d{1,9})?$/, 'zero or above');
export const signedUsd = usd(
  /^-?(?![0.]{1,19}$)\d{1,9}(?:\.\d{1,9})?$/,
  'above zero to add credit, below zero to take it back',
);

const REASON_HELP = 'must be 1 to 500 characters of text, and not only blanks';
export const reason = z.string({ error: REASON_HELP }).regex(/^(?!\s+$)[^\p{Cc}\p{Cs}]{1,500}$/u, REASON_HELP);

const ONCE_HELP = 'must be 1 to 200 characters of text';
const onceName = z.string({ error: ONCE_HELP }).regex(/^[^\p{Cc}\p{Cs}]{1,200}$/u, ONCE_HELP);
/** The caller's name for a creation, or for a posting. */
export const creationName = onceName.openapi({
  description: 'An idempotency key: a request repeated with it within 24 hours creates nothing.',
});
export const once = onceName.openapi({ description: 'An idempotency key: a request repeated with it posts once.' });

const TIME_HELP = 'must be a day ("2027-01-31", which means its start in UTC) or a time ("2027-01-31T12:00:00Z")';
export const time = z.union([z.iso.date(), z.iso.datetime({ offset: true })], { error: TIME_HELP });

export const nano = z
  .string()
  .regex(/^-?\d+$/)
  .openapi({ example: '5000000000' });
export const percent = z
  .string()
  .openapi({ example: '-12.5', description: 'Percent of each rate of the list price; below zero: a discount.' });
export const decimal = z.string().openapi({ example: '5.00' });
export const timestamp = z.iso.datetime();
export const id = z.uuid();
/** An id that is a part of a digest: none of the versions of UUIDs. */
export const digestId = z.guid();

type AmountFields<Name extends string> = { readonly [Field in `${Name}_nano_usd`]: typeof nano } & {
  readonly [Field in `${Name}_usd`]: typeof decimal;
};

/** The two fields of an amount. */
export function amount<Name extends string>(name: Name, description?: string): AmountFields<Name> {
  const inNano = description === undefined ? nano : nano.openapi({ description });
  return { [`${name}_nano_usd`]: inNano, [`${name}_usd`]: decimal } as AmountFields<Name>;
}

/** One of these words. */
export function choice<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, { error: `must be one of ${words.join(', ')}` });
}

/** A whole number within these bounds. */
export function wholeNumber(least: number, most: number) {
  const error = `must be a whole number from ${least} to ${most}`;
  return z.int({ error }).min(least, error).max(most, error);
}

/** The same in a query. */
export function queryNumber(least: number, most: number) {
  const error = `must be a whole number from ${least} to ${most}`;
  return z.coerce.number({ error }).int(error).min(least, error).max(most, error);
}

/** What is not charged yet, of a purse. */
export const heldFields = {
  held_nano_usd: nano.openapi({
    description:
      'What requests hold, as their processes said with their last heartbeats: six in each `timeouts.epoch`. Of a process that ' +
      'does not say, because it holds something of more than 1,000 purses, all that it has leased.',
  }),
  held_usd: decimal,
  leased_nano_usd: nano.openapi({
    description: 'In leases and not charged: what requests hold, and what processes have drawn ahead of them.',
  }),
  leased_usd: decimal,
};

/** How a limit of one window stands: `left` is null without a limit, and `resets_at` if the window never ends. */
export const standing = {
  ...amount('used'),
  ...heldFields,
  left_nano_usd: nano.nullable(),
  left_usd: decimal.nullable(),
  resets_at: timestamp.nullable(),
};
