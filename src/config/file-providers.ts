import * as z from 'zod';
import { PROVIDER_KINDS } from './provider-kinds.ts';

// The part of the file's schema that says where models run.

const NAME_RIGHT = 'write a name of letters, digits, "-" and "_", at most 64 of them';
const providerName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, { error: NAME_RIGHT });

type Section = (typeof PROVIDER_KINDS)[keyof typeof PROVIDER_KINDS]['section'];
const sections = Object.values(PROVIDER_KINDS).map(({ section }): Section => section) as [Section, ...Section[]];
const [first, ...others] = Object.keys(PROVIDER_KINDS);

const provider = z.discriminatedUnion('kind', sections, {
  error: (issue) =>
    issue.code === 'invalid_union'
      ? `write kind: ${first} (or ${others.join(', ')})`
      : 'write a mapping such as { kind: openai, base_url: "https://api.openai.com/v1" }',
});

export const providers = z
  .record(providerName, provider, { error: 'write a mapping of names to providers' })
  .prefault({})
  .describe('Where models run, by name.');
