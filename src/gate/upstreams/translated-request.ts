import type { BodyFault } from '../openai/body-fault.ts';

/** A request's bytes in another API, or the part that this one has no equivalent for. */
export type TranslatedRequest =
  | {
      readonly ok: true;
      readonly made: Buffer;
      /** What of a request in another dialect is not in it, by the caller's names. */
      readonly leftOut?: readonly string[];
      /** What the translation of its answer must know. */
      readonly notes?: string;
    }
  | { readonly ok: false; readonly fault: BodyFault };
