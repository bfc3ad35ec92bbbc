import { newId } from '../../src/lib/uuid7.ts';
import type { Principal } from '../../src/domain/principal.ts';
import { type RefusalCode, refuse } from '../../src/domain/refusals.ts';
import type { RefusedRequest } from '../../src/domain/refused-request.ts';
import type { Account } from './accounts.ts';

/** The caller that a request with the account's key has. */
export function principalOf({ workspace, project, key }: Pick<Account, 'workspace' | 'project' | 'key'>): Principal {
  return {
    workspaceId: workspace.id,
    projectId: project.id,
    keyId: key.id,
    policies: [],
    expiresAtMs: null,
    rateLimits: { requestsPerMinute: null, tokensPerMinute: null, concurrency: null },
    budgetPeriod: 'month',
    memberLimitId: null,
    servedLimits: null,
    served: null,
    reportsCost: false,
    isAllowedFrom: null,
    suspension: null,
  };
}

/** A refused request of this caller, with an id of its own. */
export function refusedRequest(
  principal: Principal | null,
  code: RefusalCode = 'MODEL_NOT_FOUND',
  more: Partial<RefusedRequest> = {},
): RefusedRequest {
  return {
    requestId: newId(),
    principal,
    endpoint: 'chat_completions',
    model: 'none',
    refusal: refuse(code, 'No.', { param: 'model' }),
    ...more,
  };
}
