import * as z from 'zod';
import { isNetwork } from '../lib/network-range.ts';
import { duration, plainText, section } from './file-fields.ts';

// When alerts are looked for, and how mails and webhooks are sent.

const SMTP_RIGHT = 'write an address such as "smtps://user:${SMTP_PASSWORD}@smtp.example.com"';
const SMTP_PROTOCOLS = new Set(['smtp:', 'smtps:']);
const FROM_RIGHT = 'write an address such as "faregate@example.com" or "Faregate <faregate@example.com>"';
const FROM = /^([^<>"(),:;@\\[\]\p{Cc}]+ )?<?[^\s@<>"(),:;\\[\]\p{Cc}]+@[^\s@<>"(),:;\\[\]\p{Cc}]+>?$/u;
const NETWORK_RIGHT = 'write a network such as "10.1.0.0/16" or "127.0.0.0/8"';

export const alerts = section(
  {
    check_every: duration(1_000, 3_600_000).prefault('30s').describe('How often it is looked for new alerts.'),
  },
  'write a mapping such as { check_every: 30s }',
);

export const mail = section(
  {
    smtp_url: z
      .string({ error: SMTP_RIGHT })
      .superRefine((address, context) => {
        const url = URL.canParse(address) ? new URL(address) : null;
        if (url !== null && SMTP_PROTOCOLS.has(url.protocol) && url.hostname !== '') return;
        // Says nothing of the text: a password stands in it.
        context.addIssue({
          code: 'custom',
          message: SMTP_RIGHT,
          params: { wrong: 'is not the address of an SMTP server' },
        });
      })
      .describe('The SMTP server that mails are handed over to.'),
    from: z
      .string({ error: FROM_RIGHT })
      .max(320, { error: FROM_RIGHT })
      .regex(FROM, { error: FROM_RIGHT })
      .describe('The sender of mails.'),
  },
  'write a mapping with smtp_url and from',
);

export const webhooks = section(
  {
    allowed_networks: z
      .array(plainText(NETWORK_RIGHT).refine(isNetwork, { error: NETWORK_RIGHT }), { error: NETWORK_RIGHT })
      .max(100, { error: 'write 100 networks at most' })
      .prefault([])
      .describe('Networks that webhooks may go to although they are not public.'),
  },
  'write a mapping such as { allowed_networks: ["10.1.0.0/16"] }',
);
