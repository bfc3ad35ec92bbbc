import { randomUUID } from 'node:crypto';
import type { DescribedOperation } from './described-api.ts';
import { type FullTenant, thingsOf } from './full-tenant.ts';

// Creations by the examples of the admin API's document, so that what it describes is tested without being named.

/** What creates a secret in the place of the former one: a repetition replaces it again. */
const REPLACES: readonly string[] = [
  'addAuthenticator',
  'replaceRecoveryCodes',
  'createMemberResetLink',
  'createUserResetLink',
  'createSetUpLink',
  'rotateOwnToken',
];

/** Those that need a provider of payments, or a code to redeem. */
const NEEDS_MORE: readonly string[] = ['createTopUp', 'redeemCode'];

/** The operations that create something by their example alone. */
export function creatingOperations(operations: readonly DescribedOperation[]): readonly DescribedOperation[] {
  return operations.filter(
    ({ responses, operationId }) =>
      '201' in responses && !REPLACES.includes(operationId) && !NEEDS_MORE.includes(operationId),
  );
}

export interface ExampleCreation {
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The example, with a name that nothing else has. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** The operation's example for things of this tenant. */
export function exampleCreation(operation: DescribedOperation, tenant: FullTenant): ExampleCreation {
  const { operationId, method, path, requestBody } = operation;
  const example = (requestBody?.content['application/json'].example ?? {}) as Readonly<Record<string, unknown>>;
  const named = 'name' in example ? { name: randomUUID() } : {};
  const own = operationId === 'createAccessToken' ? inThirtyDays(tenant) : {};
  const things = thingsOf(tenant);
  return {
    path: path.replace(/\{(\w+)\}/g, (_, name: string) => things[name] ?? ''),
    method,
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: { ...example, ...named, ...own },
  };
}

const inThirtyDays = ({ workspace }: FullTenant) => ({
  workspace_id: workspace.id,
  expires_at: new Date(Date.now() + 30 * 86_400_000).toISOString(),
});
