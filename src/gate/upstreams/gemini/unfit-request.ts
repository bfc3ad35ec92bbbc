import type { BodyFault } from '../../openai/body-fault.ts';
import type { JsonView } from '../json-view.ts';

// A request that Gemini's API can't express is refused before anything is sent: the readers below throw, and the
// translation returns the fault.

class UnfitRequest extends Error {
  readonly param: string | null;

  constructor(param: string | null, message: string) {
    super(message);
    this.param = param;
  }
}

/** Ends the translation of a request: `message` asks the caller to change `param`. */
export function unfit(param: string | null, message: string): never {
  throw new UnfitRequest(param, message);
}

/** The result of `translate`, or the fault that ended it. */
export function translateOrFault<Made>(
  translate: () => Made,
): { readonly ok: true; readonly made: Made } | { readonly ok: false; readonly fault: BodyFault } {
  try {
    return { ok: true, made: translate() };
  } catch (error) {
    if (error instanceof UnfitRequest) return { ok: false, fault: { message: error.message, param: error.param } };
    throw error;
  }
}

/** The string at `param`, decoded. */
export function textAt(view: JsonView | undefined, param: string): string {
  return view?.text() ?? unfit(param, `'${param}' must be a string.`);
}

/** The view itself, which must be a string; its bytes are copied unchanged. */
export function stringAt(view: JsonView | undefined, param: string): JsonView {
  return view?.kind === 'string' ? view : unfit(param, `'${param}' must be a string.`);
}

/** The view itself, which must be a number; its digits are copied unchanged. */
export function numberAt(view: JsonView, param: string): JsonView {
  return view.kind === 'number' ? view : unfit(param, `'${param}' must be a number.`);
}

/** The view itself, which must be an object. */
export function objectAt(view: JsonView | undefined, param: string): JsonView {
  return view?.kind === 'object' ? view : unfit(param, `'${param}' must be an object.`);
}

/** The elements of the array at `param`. */
export function elementsAt(view: JsonView, param: string): readonly JsonView[] {
  return view.kind === 'array' ? view.elements() : unfit(param, `'${param}' must be an array.`);
}
