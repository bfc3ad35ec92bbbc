import * as z from 'zod';
import { amount, baseUrl, plainText, section } from './file-fields.ts';

// How workspaces pay for credit.

const USD_RIGHT = 'write USD as a quoted decimal string of whole cents, such as "5.00"';
const CENT = 10_000_000n;
const PERCENT_RIGHT = 'write a percentage as a quoted decimal string with at most two decimals, such as "5.5"';
const PERCENT = /^\d{1,2}(\.\d{1,2})?$/;
const SECRET_RIGHT = 'write a secret or restricted key of Stripe, such as "${STRIPE_SECRET_KEY}"';
const WEBHOOK_RIGHT = 'write the signing secret of the webhook endpoint, such as "${STRIPE_WEBHOOK_SECRET}"';

/** Nano-USD, of whole cents: providers charge nothing smaller. */
function cents() {
  return amount(USD_RIGHT).refine((nano) => nano % CENT === 0n, { error: USD_RIGHT });
}

const stripe = section(
  {
    secret_key: z
      .string({ error: SECRET_RIGHT })
      .regex(/^[rs]k_(test|live)_\S{1,200}$/, { error: SECRET_RIGHT })
      .describe("Stripe's secret key, or a restricted one. A test key takes no real money."),
    webhook_secret: z
      .string({ error: WEBHOOK_RIGHT })
      .regex(/^whsec_\S{1,200}$/, { error: WEBHOOK_RIGHT })
      .optional()
      .describe('The signing secret of the webhook endpoint. Left out: webhooks are not taken.'),
    automatic_tax: z
      .boolean({ error: 'write true or false' })
      .prefault(false)
      .describe(
        "Has Stripe compute tax on its pages, on top of credit and fee. Automatic top-ups aren't possible then.",
      ),
    invoices: z
      .boolean({ error: 'write true or false' })
      .prefault(false)
      .describe('Has Stripe make an invoice of each payment on its pages.'),
    base_url: baseUrl().prefault('https://api.stripe.com').describe("Where Stripe's API is."),
  },
  'write a mapping with secret_key and webhook_secret',
);

const fee = section(
  {
    percent: z
      .string({ error: PERCENT_RIGHT })
      .regex(PERCENT, { error: PERCENT_RIGHT })
      .prefault('0')
      .transform((text) => {
        const [whole = '0', decimals = ''] = text.split('.');
        return BigInt(whole) * 100n + BigInt(decimals.padEnd(2, '0'));
      })
      .describe('The share of a top-up that is charged on top of it.'),
    min: cents().prefault('0').describe('The least fee of a top-up, in USD.'),
  },
  'write a mapping such as { percent: "5.5", min: "0.80" }',
);

const PARTY_RIGHT = 'write a text of one line';

const seller = section(
  {
    name: plainText(PARTY_RIGHT, 200).describe('Who sells the credit: a company or person.'),
    address: plainText(PARTY_RIGHT, 500).optional().describe('Its address, in one line.'),
    tax_id: plainText(PARTY_RIGHT, 50).optional().describe('Its tax number.'),
  },
  'write a mapping such as { name: "Example GmbH", address: "1 Main Street, 12345 Springfield, Germany", tax_id: "DE123456789" }',
);

export const payments = section(
  {
    seller: seller
      .optional()
      .describe('Who sells the credit, as statements say. Left out: they name the address of the instance alone.'),
    stripe: stripe.optional().describe('Payments by Stripe. Left out: credit is granted, or redeemed by codes.'),
    fee: fee.prefault({}).describe('What is charged on top of a top-up. It never becomes credit.'),
    amount_min: cents().prefault('5').describe('The least that one top-up buys, in USD.'),
    amount_max: cents().prefault('10000').describe('The most that one top-up buys, in USD.'),
    return_url: plainText('write the address of a page, such as "https://gateway.example.com/credit"')
      .refine((text) => /^https?:\/\/[^?#]+$/.test(text) && URL.canParse(text), {
        error: 'write the address of a page without a query, such as "https://gateway.example.com/credit"',
      })
      .optional()
      .describe("The page that payers come back to. Left out: the instance's own."),
  },
  'write a mapping such as { stripe: { secret_key: "${STRIPE_SECRET_KEY}" } }',
);
