/** Why a body can't be served; `param` names the field at fault, null if the body as a whole is. */
export interface BodyFault {
  readonly message: string;
  readonly param: string | null;
}

/** The result of reading a body. */
export type BodyResult<Request> =
  | { readonly ok: true; readonly request: Request }
  | { readonly ok: false; readonly fault: BodyFault };

/** A fault of the field `param`. */
export function fieldFault(param: string, message: string): BodyFault {
  return { message, param };
}
