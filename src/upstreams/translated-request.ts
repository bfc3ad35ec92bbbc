import type { BodyFault } from '../openai/body-fault.ts';

/** A request's bytes for the provider, or the part that the provider's API has no equivalent for. */
export type TranslatedRequest =
  | { readonly ok: true; readonly made: Buffer }
  | { readonly ok: false; readonly fault: BodyFault };
