import type { Judgement } from './conformance.ts';
import type { SchemaFault } from './schema-fault.ts';
import type { SchemaForms } from './schema-forms.ts';

// Messages to and from validation threads. A schema is sent as its number; its text is added if the thread doesn't
// have it.

export type ValidationTask =
  /** Checks and compiles a schema. */
  | { readonly kind: 'check'; readonly id: number; readonly schema: string }
  /** Judges a text by a schema. */
  | { readonly kind: 'judge'; readonly id: number; readonly schema: string | null; readonly text: string };

/** Result of a check: the schema's forms for providers, or its fault. */
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
  /** The validator threw something unknown: its bug, or the gateway's. `where` is for the log, and quotes nothing. */
  | { readonly kind: 'fault'; readonly where: string };

/** An exception. Its message may quote the schema or the value, so only its kind and stack are reported. */
export function resultOfException(error: unknown): ValidationResult {
  if (error instanceof RangeError) return { kind: 'too_deep' };
  if (!(error instanceof Error)) return { kind: 'fault', where: typeof error };
  const frames = (error.stack ?? '').split('\n').filter((line) => /^ {4}at /.test(line));
  return { kind: 'fault', where: [error.name, ...frames.slice(0, FRAMES_MAX).map((frame) => frame.trim())].join(' ') };
}

/** The most frames of a stack that are reported. */
const FRAMES_MAX = 5;

/** A thread's message: the result of each task, none when it is ready; and its total computing time. */
export interface ThreadMessage {
  readonly results: readonly ValidationResult[];
  readonly cpuMs: number;
}
