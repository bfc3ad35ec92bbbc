import { REFUSALS, type RefusalCode } from '../../domain/refusals.ts';

// The answers by which the admin API refuses, as the document has them: one component for each code, and for each operation
// the codes that it may answer with.

interface ErrorAnswer {
  readonly when: string;
  /** An example of its message. */
  readonly message: string;
  readonly param?: string;
}

const ANSWERS = {
  INVALID_REQUEST: {
    when: 'A parameter or the body is invalid: `param` names it.',
    message: '"name" must be 1 to 100 characters of text.',
    param: 'name',
  },
  UNAUTHENTICATED: {
    when: 'There is no valid token or session, or the session must prove again who its user is.',
    message: 'Sign in, or send a valid token.',
  },
  FORBIDDEN: {
    when: "The caller's role, scopes or kind of token don't include this.",
    message: 'Your role, viewer, does not include this: owners and admins may do it.',
  },
  NOT_FOUND: {
    when: 'It does not exist, or the caller may not know that it does.',
    message: 'There is no such workspace.',
  },
  CONFLICT: {
    when: 'The change contradicts the present state, or a name is taken.',
    message: 'There is a project named "Default" already.',
    param: 'name',
  },
  WORKSPACE_MOVED: {
    when: 'The workspace lives in another cell now, and is changed there.',
    message: 'This workspace lives in the cell 01 now: https://one.gateway.example.',
  },
  PRECONDITION_FAILED: {
    when: '`If-Match` names another version than the present one.',
    message: 'It was changed since you read it: it has version 4, not 3. Read it again.',
  },
  REQUEST_TIMEOUT: {
    when: 'The body did not come in time.',
    message: 'The body did not arrive within 10 s.',
  },
  REQUEST_TOO_LARGE: {
    when: 'The body is too large.',
    message: 'The body may have 262144 bytes at most.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    when: 'The body is not declared as JSON.',
    message: 'The body must be JSON: send "Content-Type: application/json".',
  },
  IDEMPOTENCY_MISMATCH: {
    when: '`once` has named another request.',
    message: '"order 7" has named another request in the last 24 hours.',
    param: 'once',
  },
  RATE_LIMITED: {
    when: 'Too many requests or attempts: `retry-after` says when to try again.',
    message: 'An actor may send 20 requests a second to the admin API: slow down.',
  },
  INTERNAL_ERROR: {
    when: 'A fault of the gateway.',
    message: 'The gateway failed: see its log.',
  },
  SERVICE_UNAVAILABLE: {
    when: 'It cannot be served now: `retry-after` says when to try again.',
    message: "The database can't be reached: try again in a moment.",
  },
} as const satisfies Partial<Record<RefusalCode, ErrorAnswer>>;

/** The statuses with which a request to a model may be refused. */
const PUBLIC_STATUSES = [...new Set(Object.values(REFUSALS).map(({ status }) => status))].filter(
  (status) => ![405, 409, 412, 431, 505].includes(status),
);

/** The codes with which operations of the admin API refuse. */
export type ErrorCode = keyof typeof ANSWERS;

/** What an operation's declaration says about its refusals. */
interface Declared {
  readonly isPublic: boolean;
  readonly path: string;
  readonly method: string;
  /** Whether it changes a workspace. */
  readonly changesWorkspace: boolean;
  readonly isVersioned: boolean;
  /** Whether its body may name the creation. */
  readonly hasOnce: boolean;
  /** Those that do not follow from the rest; or it refuses as the public API does. */
  readonly refuses: readonly ErrorCode[] | 'as the public API';
}

function codesOf(
  { isPublic, path, method, changesWorkspace, isVersioned, hasOnce }: Declared,
  refuses: readonly ErrorCode[],
): readonly ErrorCode[] {
  return [
    'INVALID_REQUEST',
    ...(isPublic ? [] : (['UNAUTHENTICATED', 'FORBIDDEN'] as const)),
    ...(path.includes('{') ? (['NOT_FOUND'] as const) : []),
    ...(changesWorkspace ? (['WORKSPACE_MOVED'] as const) : []),
    ...(isVersioned ? (['PRECONDITION_FAILED'] as const) : []),
    ...(method === 'get' ? [] : (['REQUEST_TIMEOUT', 'REQUEST_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const)),
    ...(hasOnce ? (['IDEMPOTENCY_MISMATCH'] as const) : []),
    'RATE_LIMITED',
    'INTERNAL_ERROR',
    'SERVICE_UNAVAILABLE',
    ...refuses,
  ];
}

/** References to the answers by which an operation refuses, by their status. */
export function errorAnswers(declared: Declared): Readonly<Record<string, { readonly $ref: string }>> {
  const { refuses } = declared;
  const references =
    refuses === 'as the public API'
      ? PUBLIC_STATUSES.map((status) => [status, { $ref: '#/components/responses/PUBLIC_API' }])
      : codesOf(declared, refuses).map((code) => [REFUSALS[code].status, { $ref: `#/components/responses/${code}` }]);
  return Object.fromEntries(references) as Record<string, { $ref: string }>;
}

/** The answer of operations that refuse as the public API does. `schema`: of the body of its refusals. */
export function publicErrorAnswer(schema: object) {
  const { type } = REFUSALS.INSUFFICIENT_BALANCE;
  const message = 'The workspace has $0.00 left, and this request may cost $0.01.';
  const example = { error: { message, type, param: null, code: 'INSUFFICIENT_BALANCE' } };
  return {
    description: 'Refused as the public API refuses: `code` is one of its codes, `details` says more.',
    content: { 'application/json': { schema, example } },
  };
}

/** The components to which `errorAnswers` refers. `schema`: of the body of every refusal. */
export function errorComponents(schema: object) {
  return Object.entries<ErrorAnswer>(ANSWERS).map(([code, { when, message, param = null }]) => {
    const { type } = REFUSALS[code as ErrorCode];
    const example = { error: { message, type, param, code } };
    const isCode = { properties: { error: { properties: { code: { const: code }, type: { const: type } } } } };
    const content = { 'application/json': { schema: { allOf: [schema, isCode] }, example } };
    return { code, answer: { description: `\`${code}\`: ${when}`, content } };
  });
}
