import type { Key } from '../accounts/keys.ts';
import type { Project } from '../accounts/projects.ts';
import type { Workspace } from '../accounts/workspaces.ts';
import type { CatalogueChange } from '../catalogue/catalogue-diff.ts';
import { type AmountFields, amountFields, type NanoUsd } from '../domain/money.ts';
import type { CatalogueChangeJson, KeyJson, ProjectJson, WorkspaceJson } from './contract.ts';

// The JSON of records in the admin API.

/** The two fields of an amount; both are null if it is. */
function optionalAmountFields<Name extends string>(
  name: Name,
  amount: NanoUsd | null,
): AmountFields<Name, string | null> {
  if (amount !== null) return amountFields(name, amount);
  return { [`${name}_nano_usd`]: null, [`${name}_usd`]: null } as AmountFields<Name, null>;
}

export function workspaceJson({ id, name, createdAt, credit, balance, held, owed }: Workspace): WorkspaceJson {
  return {
    id,
    name,
    created_at: createdAt.toISOString(),
    ...amountFields('credit', credit),
    ...amountFields('balance', balance),
    ...amountFields('held', held),
    ...amountFields('owed', owed),
  };
}

export function projectJson(project: Project): ProjectJson {
  return {
    id: project.id,
    workspace_id: project.workspaceId,
    name: project.name,
    requests_per_minute: project.requestsPerMinute,
    tokens_per_minute: project.tokensPerMinute,
    concurrency: project.concurrency,
    ...optionalAmountFields('budget', project.budget),
    budget_period: project.budgetPeriod,
    models: project.models === null ? null : [...project.models],
    created_at: project.createdAt.toISOString(),
  };
}

export function keyJson(key: Key): KeyJson {
  return {
    id: key.id,
    workspace_id: key.workspaceId,
    project_id: key.projectId,
    name: key.name,
    masked_key: key.masked,
    ...optionalAmountFields('spend_limit', key.spendLimit),
    models: key.models === null ? null : [...key.models],
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    created_at: key.createdAt.toISOString(),
  };
}

export function catalogueChangeJson({ model, change, fields, needsAccept }: CatalogueChange): CatalogueChangeJson {
  return { model, change, fields: fields.map((field) => ({ ...field })), needs_accept: needsAccept };
}
