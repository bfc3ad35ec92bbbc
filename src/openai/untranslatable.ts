/**
 * Signals that a request can't be translated to the provider's API. The message is for the caller and names what to
 * change; `param` is the field at fault, null if its name may be anything.
 */
export class Untranslatable extends Error {
  readonly param: string | null;

  constructor(param: string | null, message: string) {
    super(message);
    this.param = param;
  }
}
