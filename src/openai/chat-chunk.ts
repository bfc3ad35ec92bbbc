import { readContentBytes } from './content-size.ts';
import { describeError, readUpstreamError, type UpstreamError } from './error-body.ts';
import { applySplices, readObject, spliceObject } from './json-edit.ts';
import { NameTable } from './json-names.ts';
import { JsonScan } from './json-scan.ts';
import { readTimings, readUsage, type ReportedUsage } from './usage.ts';

// One data event of a chat stream: what the gate must know of it, read in one pass, and the few bytes that are not for
// every caller's eyes, cut out in place.

export interface ChunkFacts {
  /** Whether the payload is a JSON object. The rest says nothing if it isn't. */
  readonly valid: boolean;
  readonly error: UpstreamError | null;
  readonly usage: ReportedUsage | null;
  /** Usage as llama.cpp's timings imply it, for streams that report none. */
  readonly impliedUsage: ReportedUsage | null;
  readonly choices: 'none' | 'some';
  /** Indices of the choices that end here. */
  readonly finishedChoices: readonly number[];
  readonly hasContent: boolean;
  /** Bytes of UTF-8 that the model wrote: content, reasoning, tool calls. */
  readonly contentBytes: number;
}

/** A usage report's chunk has no choices but these. */
const CHUNK = new NameTable(['choices', 'usage', 'error', 'x_groq', 'timings', 'object']);
const CHOICE = new NameTable(['index', 'delta', 'message', 'text', 'finish_reason', 'usage']);
const GROQ = new NameTable(['usage', 'error']);

const NONE_FINISHED: readonly number[] = Object.freeze([]);

/** What has been read so far. */
class Draft implements ChunkFacts {
  valid = false;
  error: UpstreamError | null = null;
  usage: ReportedUsage | null = null;
  impliedUsage: ReportedUsage | null = null;
  choices: 'none' | 'some' = 'none';
  finishedChoices: readonly number[] = NONE_FINISHED;
  hasContent = false;
  contentBytes = 0;
  /** Usage where single vendors put it besides: in `x_groq`, in a choice. */
  sideUsage: ReportedUsage | null = null;
}
