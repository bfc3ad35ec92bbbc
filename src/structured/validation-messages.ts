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
  /** The validator gave up: its recursion, or a thing that it doesn't know. */
  | { readonly kind: 'failed' };

/** What a thread says: what came of each of its tasks, of none when it is ready; and how long it has computed in all. */
export interface ThreadMessage {
  readonly results: readonly ValidationResult[];
  readonly cpuMs: number;
}
