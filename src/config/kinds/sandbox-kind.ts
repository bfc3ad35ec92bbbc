import * as z from 'zod';
import type { SandboxProviderConfig } from '../config.ts';
import { section } from '../file-fields.ts';
import { LIMIT_KEYS } from './common-keys.ts';
import type { KindOfProvider } from './kind-of-provider.ts';

const sandboxSection = section({ kind: z.literal('sandbox'), ...LIMIT_KEYS }, 'write { kind: sandbox }');

/** The provider inside this process, which has no address and no key. */
export const sandboxKind: KindOfProvider<SandboxProviderConfig, typeof sandboxSection> = {
  section: sandboxSection,
  own: ({ kind }) => ({ kind }),
  describe: () => ({}),
};
