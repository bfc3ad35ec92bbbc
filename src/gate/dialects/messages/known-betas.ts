// Betas that a caller may name in `anthropic-beta`, without their dates. A beta may by itself change the cost of a
// request, as one that enlarges the context does, so an unreviewed one is left out.

const KNOWN: ReadonlySet<string> = new Set([
  // Of Claude Code.
  'claude-code',
  'advanced-tool-use',
  'effort',
  'per-turn-control',
  'tool-search-tool',
  // Of input and output, whose tokens are bounded by the context window and the cap.
  'context-1m',
  'output-128k',
  'output-300k',
  'interleaved-thinking',
  'dev-full-thinking',
  'thinking-token-count',
  'thinking-display-updates',
  'thinking-binding-controls',
  'model-context-window-exceeded',
  'task-budgets',
  'structured-outputs',
  'pdfs',
  // Of tools and system messages. Tools that the provider would run are checked in `tools`.
  'computer-use',
  'token-efficient-tools',
  'fine-grained-tool-streaming',
  'code-execution',
  'mid-conversation-tool-changes',
  'mid-conversation-output-config',
  'mid-conversation-system-clear-at',
  'inline-tools',
  'mcp-client',
  'advisor-tool',
  'skills',
  'files-api',
  // Of caches and of clearing context.
  'prompt-caching',
  'extended-cache-ttl',
  'context-management',
  'token-counting',
  // They only enable fields that have verdicts of their own.
  'cache-diagnosis',
  'compact',
  'fallback-credit',
  'fast-mode',
  'message-threads',
  'server-side-fallback',
  'user-profiles',
  'user-profiles-billing',
]);

/** Betas of Anthropic's other APIs, without meaning for this one: left out like unknown ones. */
export const OF_OTHER_APIS: ReadonlySet<string> = new Set([
  'admin-user-sign-out',
  'agent-memory',
  'analytics-usage-cost',
  'ce-claude-code-managed-settings',
  'ce-plugins',
  'ce-user-management',
  'dreaming',
  'experimental-claude-tag',
  'managed-agents',
  'mcp-tunnels',
  'message-batches',
  'spend-limit-reads',
  'telemetry-destinations',
  'webhooks',
]);

const DATE = /-\d{4}-?\d{2}-?\d{2}$/;
const SHOWN = /^[\w-]{1,64}$/;

/** A beta's name without its date. */
export function betaName(beta: string): string {
  return beta.replace(DATE, '');
}

/** The betas of a header, in order. */
export function betasIn(header: string): readonly string[] {
  return header
    .split(',')
    .map((beta) => beta.trim())
    .filter((beta) => beta !== '');
}

/** Whether the beta may be sent to a provider. */
export function isKnownBeta(beta: string): boolean {
  return KNOWN.has(betaName(beta));
}

const NONE: readonly string[] = Object.freeze([]);

/** The unknown betas of the header, in a form that may be shown. */
export function unknownBetasIn(header: string | undefined): readonly string[] {
  if (header === undefined) return NONE;
  const unknown = betasIn(header).filter((beta) => !isKnownBeta(beta));
  return unknown.length === 0 ? NONE : unknown.map((beta) => (SHOWN.test(beta) ? beta : 'anthropic-beta'));
}
