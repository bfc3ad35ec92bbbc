// By which words LiteLLM (1.106.2, its `openai` provider) tells errors from each other. It looks at the status only where no
// words fit, so an error with other words than OpenAI's becomes another exception, and what stands on it (aider, DSPy,
// CrewAI) retries, shortens or gives up for the wrong reason. The first rule that fits counts. `npm run clients:python` holds
// this table against the package itself.

interface Rule {
  /** Whether the status and the exception's text, in which the body is quoted, fit. */
  readonly fits: (text: string, status: number) => boolean;
  readonly raises: string;
}

const has =
  (...words: readonly string[]): Rule['fits'] =>
  (text) =>
    words.every((word) => text.includes(word));

const RULES: readonly Rule[] = [
  {
    fits: (text, status) => /rate[\s_-]*limit/i.test(text) || (status === 429 && /\b429\b/.test(text)),
    raises: 'RateLimitError',
  },
  {
    fits: (text) => /this model's maximum context length is|input tokens exceed the configured limit/i.test(text),
    raises: 'ContextWindowExceededError',
  },
  { fits: has('invalid_request_error', 'model_not_found'), raises: 'NotFoundError' },
  { fits: has('A timeout occurred'), raises: 'Timeout' },
  { fits: has('invalid_request_error', 'content_policy_violation'), raises: 'ContentPolicyViolationError' },
  {
    fits: (text) => text.includes('invalid_request_error') && !text.includes('Incorrect API key provided'),
    raises: 'BadRequestError',
  },
  { fits: has('Request too large'), raises: 'RateLimitError' },
];

const BY_STATUS: Readonly<Record<number, string>> = {
  400: 'BadRequestError',
  401: 'AuthenticationError',
  404: 'NotFoundError',
  408: 'Timeout',
  422: 'BadRequestError',
  429: 'RateLimitError',
  500: 'InternalServerError',
  502: 'BadGatewayError',
  503: 'ServiceUnavailableError',
  504: 'Timeout',
};

/** The exception that LiteLLM makes of an error response. */
export function litellmRaises(status: number, body: unknown): string {
  const text = `Error code: ${status} - ${JSON.stringify(body)}`;
  return RULES.find(({ fits }) => fits(text, status))?.raises ?? BY_STATUS[status] ?? 'APIError';
}
