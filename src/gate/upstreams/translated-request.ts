import type { BodyFault } from '../openai/body-fault.ts';

/** A request's bytes in another API, or the part that this one has no equivalent for. */
export type TranslatedRequest =
  | {
      readonly ok: true;
      readonly made: Buffer;
      /** The parts of a request in another dialect that it leaves out, by the caller's names. */
      readonly leftOut?: readonly string[];
      /** Notes for the translation of its answer. */
      readonly notes?: string;
    }
  | { readonly ok: false; readonly fault: BodyFault };
