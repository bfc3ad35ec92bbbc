import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { refuse, REFUSALS, type Refusal } from '../../../domain/refusals.ts';

// Refusals as SCIM has them (RFC 7644, 3.12).

const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';
export const SCIM_TYPE = 'application/scim+json';

/** The kinds of mistakes that SCIM names. */
export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'uniqueness';

/** The refusal of a request with a mistake of this kind. */
export function scimRefusal(scimType: ScimType, message: string): Refusal {
  return refuse('INVALID_REQUEST', message, { details: { scimType } });
}

/** What a conflict is about: the only owner stays active, all other fields are unique. */
function kindOf({ code, param, details }: Refusal): unknown {
  if (details !== undefined) return details['scimType'];
  if (code === 'INVALID_REQUEST') return 'invalidValue';
  if (code !== 'CONFLICT' || param === null) return undefined;
  return param === 'active' ? 'mutability' : 'uniqueness';
}

/** Answers with a refusal. */
export function answerScimRefusal(c: Context, refusal: Refusal): Response {
  const { code, message, retryAfterMs } = refusal;
  const { status } = REFUSALS[code];
  if (retryAfterMs !== undefined) c.header('retry-after', String(Math.ceil(retryAfterMs / 1_000)));
  if (code === 'UNAUTHENTICATED') c.header('www-authenticate', 'Bearer');
  return scimAnswer(
    c,
    { schemas: [ERROR], status: String(status), scimType: kindOf(refusal), detail: message },
    status,
  );
}

/** Answers with a body of SCIM; what is undefined is left out. */
export function scimAnswer(c: Context, body: object, status: ContentfulStatusCode = 200): Response {
  return c.body(JSON.stringify(body), status, { 'content-type': SCIM_TYPE });
}
