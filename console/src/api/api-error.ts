import type { ErrorBody } from '../../../src/control/admin/contract.ts';

/** The code of an `ApiError` that no server has sent. */
export const UNREACHABLE = 'UNREACHABLE';

/** The admin API refused a request, or could not be reached. The message is for people. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** Zero if there was no answer. */
  readonly status: number;
  readonly code: string;
  /** The field, parameter or header that it is about. */
  readonly param: string | null;
  readonly requestId: string | null;

  constructor(status: number, { message, code, param }: Omit<ErrorBody['error'], 'type'>, requestId: string | null) {
    super(message);
    this.status = status;
    this.code = code;
    this.param = param;
    this.requestId = requestId;
  }
}

/** The error of an answer that is not 2xx. */
export async function errorOf(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => null)) as Partial<ErrorBody> | null;
  const error = body?.error ?? {
    message: `The server answered ${response.status}.`,
    code: `HTTP_${response.status}`,
    param: null,
  };
  return new ApiError(response.status, error, response.headers.get('x-request-id'));
}

/** The error of a request without an answer. */
export function unreachable(): ApiError {
  const message = 'The server could not be reached. Check your connection, then try again.';
  return new ApiError(0, { message, code: UNREACHABLE, param: null }, null);
}

/** What is wrong with a field, for people to read; null if the error is about something else. */
export function problemOf(error: unknown, param: string): string | null {
  if (!(error instanceof ApiError) || error.param !== param) return null;
  // People know the field by its label.
  return error.message.replace(`"${param}" must `, 'It must ');
}

/** Whether the thing has been changed since it was read. */
export function isVersionConflict(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'PRECONDITION_FAILED';
}
