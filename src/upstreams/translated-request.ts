import type { BodyFault } from '../openai/body-fault.ts';

/** A request as its bytes for the provider, or what the provider's API has no words for. */
export type TranslatedRequest =
  | { readonly ok: true; readonly made: Buffer }
  | { readonly ok: false; readonly fault: BodyFault };
