import { fieldFault, type BodyResult } from './body-fault.ts';
import type { JsonScan } from './json-scan.ts';
import { fieldTable, type PricedIn } from './known-fields.ts';
import { BodyReader, into, readModel } from './request-fields.ts';
import { TEXTS_STRUCTURE_MAX, TOKEN_DIGITS_MAX } from './text-inputs.ts';
import { UnknownFields } from './unknown-fields.ts';

/** The common part of requests for all endpoints: the model's id. */
export interface ModelRequest {
  readonly model: string;
  /** Which of these members it has: they are nearly all that shows the endpoint of a body. */
  readonly hasMessages: boolean;
  readonly hasInput: boolean;
  readonly hasPrompt: boolean;
}

type Draft = { -readonly [Name in keyof ModelRequest]: ModelRequest[Name] } & { readonly unknown: UnknownFields };

/** The fields that show which endpoint a body is for. The table of that endpoint has the verdicts on the others. */
const SHOWING = fieldTable({
  verdict: 'priced',
  reason: 'what the hold goes by',
  names: ['model', 'messages', 'input', 'prompt'],
});

// No body has more structure than a million tokens to embed.
const BODY = new BodyReader<Draft, PricedIn<typeof SHOWING>>(TEXTS_STRUCTURE_MAX, SHOWING, {
  model: into('model', readModel),
  messages: (scan, draft) => {
    draft.hasMessages = true;
    scan.skip();
    return null;
  },
  input: (scan, draft) => {
    draft.hasInput = true;
    skipTokens(scan);
    return null;
  },
  prompt: (scan, draft) => {
    draft.hasPrompt = true;
    skipTokens(scan);
    return null;
  },
});

/** Skips a value that may be a million tokens, or lists of them, which are read much faster than other values. */
function skipTokens(scan: JsonScan): void {
  if (!scan.enterArray()) return scan.skip();
  while (scan.nextElement()) {
    if (scan.kind() !== 'number') skipTokens(scan);
    else if (scan.wholeNumbers(TOKEN_DIGITS_MAX) !== null) return;
  }
}

/** Reads the model that a body names, for any endpoint; its other fields are only checked as JSON. */
export function readModelRequest(body: Buffer): BodyResult<ModelRequest> {
  const draft = { model: '', hasMessages: false, hasInput: false, hasPrompt: false, unknown: new UnknownFields() };
  const layout = BODY.read(body, draft);
  if (!('members' in layout)) return { ok: false, fault: layout };
  if (draft.model === '')
    return { ok: false, fault: fieldFault('model', "'model' is missing: name the model that shall answer.") };
  return { ok: true, request: draft };
}
