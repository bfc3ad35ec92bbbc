/** A lower-case UUIDv7, as every response carries one. */
export const REQUEST_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The request id that OpenAI's SDK has put into an answer. */
export function requestIdOf(answer: object): string {
  const { _request_id: id } = answer as { _request_id?: string | null };
  return id ?? '';
}
