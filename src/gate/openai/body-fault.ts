/** Why a body can't be served; `param` names the field at fault, null if the body as a whole is. */
export interface BodyFault {
  readonly message: string;
  readonly param: string | null;
  /** For clients that recognise the fault by more than its message. */
  readonly details?: FaultDetails;
}

/** The `details` of an error body. */
export type FaultDetails = Readonly<Record<string, unknown>>;

/** The result of reading a body. */
export type BodyResult<Request> =
  | { readonly ok: true; readonly request: Request }
  | { readonly ok: false; readonly fault: BodyFault };

/** A field's name as errors may repeat it; null if it isn't plain. Errors repeat no other text of a body. */
export function shownName(field: string): string | null {
  return /^\w{1,64}$/.test(field) ? field : null;
}

/** A fault of the field `param`. */
export function fieldFault(param: string, message: string): BodyFault {
  return { message, param };
}
