import * as z from 'zod';
import { plainText, wholeNumber, yesOrNo } from '../file-fields.ts';

// Keys that providers of several kinds have.

export const PATH_RIGHT = 'write the path of a file';

export const KEY_KEYS = {
  api_key: plainText('write the key, best as "${VAR}"').optional().describe('The key, best as "${VAR}".'),
  api_key_file: plainText(PATH_RIGHT).optional().describe('A file that holds the key.'),
};

export const LIMIT_KEYS = {
  concurrency_max: wholeNumber(1, 1_000_000)
    .optional()
    .describe('Attempts of one process that may run there at once. Left out: without bound.'),
  drain: yesOrNo()
    .prefault(false)
    .describe('Whether a stream that its caller has left is read on for its usage until the deadline of the request.'),
};

const CAP_FIELDS = ['max_tokens', 'max_completion_tokens'] as const;

/** The name of a field of requests that caps the output. */
export function capFieldName() {
  return z.enum(CAP_FIELDS, { error: `write ${CAP_FIELDS.join(' or ')}` });
}
