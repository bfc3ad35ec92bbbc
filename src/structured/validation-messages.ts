import type { Judgement } from './conformance.ts';
import type { SchemaFault } from './schema-fault.ts';
import type { SchemaForms } from './schema-forms.ts';

// What the threads that validate are asked, and what they answer. A schema goes by its number; its text is sent where the
// thread doesn't have it.

export type ValidationTask =
  /** Checks and compiles a schema. */
  | { readonly kind: 'check'; readonly id: number; readonly schema: string }
  /** Judges a text by a schema. */
  | { readonly kind: 'judge'; readonly id: number; readonly schema: string | null; readonly text: string };

/** What comes of a check: in which forms the schema can be sent to providers, or what is wrong with it. */
export type SchemaVerdict =
  | { readonly ok: true; readonly forms: SchemaForms }
  | { readonly ok: false; readonly fault: SchemaFault };

export type ValidationResult =
  | { readonly kind: 'checked'; readonly verdict: SchemaVerdict }
  | { readonly kind: 'judged'; readonly judgement: Judgement }
  /** The thread doesn't have the schema, and was not sent its text. */
  | { readonly kind: 'unknown_schema' }
  /** The validator gave up, over recursion that goes too deep. */
  | { readonly kind: 'too_deep' }
  /** The validator threw what nothing here knows: its fault, or ours. `where` is for the log, and quotes nothing. */
  | { readonly kind: 'fault'; readonly where: string };

/** What comes of an exception: what it says may quote the schema or the value, so only its kind and stack are told. */
export function resultOfException(error: unknown): ValidationResult {
  if (error instanceof RangeError) return { kind: 'too_deep' };
  if (!(error instanceof Error)) return { kind: 'fault', where: typeof error };
  const frames = (error.stack ?? '').split('\n').filter((line) => /^ {4}at /.test(line));
  return { kind: 'fault', where: [error.name, ...frames.slice(0, FRAMES_MAX).map((frame) => frame.trim())].join(' ') };
}

/** How many frames of a stack are told. */
const FRAMES_MAX = 5;

/** What a thread says: what came of each of its tasks, of none when it is ready; and how long it has computed in all. */
export interface ThreadMessage {
  readonly results: readonly ValidationResult[];
  readonly cpuMs: number;
}
