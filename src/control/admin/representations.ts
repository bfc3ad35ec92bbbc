import type { EndUser } from '../accounts/end-users.ts';
import type { Key } from '../accounts/keys.ts';
import type { Project } from '../accounts/projects.ts';
import { standingJson } from '../accounts/standing.ts';
import type { Workspace } from '../accounts/workspaces.ts';
import type { CatalogueChange } from '../catalogue/catalogue-diff.ts';
import { END_USER_SETTINGS } from '../resources/end-user-settings.ts';
import { KEY_SETTINGS } from '../resources/key-settings.ts';
import { limitWith } from '../resources/raise.ts';
import { RAISE_SETTINGS } from '../resources/raise-settings.ts';
import { PROJECT_SETTINGS } from '../resources/project-settings.ts';
import { settingsJson } from '../resources/setting-values.ts';
import type { AuditEvent } from '../audit/audit.ts';
import {
  auditEvent,
  type AuditEventJson,
  type EndUserJson,
  type KeyJson,
  type ProjectJson,
  workspace,
  type WorkspaceJson,
} from './accounts/account-contract.ts';
import { recordJson } from './record-json.ts';
import type { CatalogueChangeJson } from './contract.ts';

// The JSON of records in the admin API.

export function workspaceJson(record: Workspace): WorkspaceJson {
  return recordJson(workspace, record);
}

export function projectJson(project: Project): ProjectJson {
  return {
    id: project.id,
    workspace_id: project.workspaceId,
    ...settingsJson(PROJECT_SETTINGS, project),
    ...settingsJson(RAISE_SETTINGS, project),
    ...standingJson(project, limitWith(project.budget, project)),
    created_at: project.createdAt.toISOString(),
    archived_at: project.archivedAt?.toISOString() ?? null,
    version: project.version,
  };
}

export function endUserJson(endUser: EndUser): EndUserJson {
  return {
    id: endUser.id,
    name: endUser.name,
    is_own: endUser.isOwn,
    ...settingsJson(END_USER_SETTINGS, endUser),
    ...settingsJson(RAISE_SETTINGS, endUser),
    ...standingJson(endUser, limitWith(endUser.limit, endUser)),
  };
}

export function keyJson(key: Key): KeyJson {
  return {
    id: key.id,
    workspace_id: key.workspaceId,
    project_id: key.projectId,
    kind: key.kind,
    project_name: key.projectName,
    ...settingsJson(KEY_SETTINGS, key),
    ...settingsJson(RAISE_SETTINGS, key),
    masked_key: key.masked,
    ...standingJson(key, limitWith(key.spendLimit, key)),
    disabled_at: key.disabledAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    former_secret_until: key.formerSecretUntil?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    created_by: key.createdBy,
    created_by_name: key.createdByName,
    invited_email: key.invitedEmail,
    created_at: key.createdAt.toISOString(),
    version: key.version,
  };
}

export function auditEventJson(event: AuditEvent): AuditEventJson {
  const actor = { kind: event.actorKind, name: event.actorName, user_id: event.userId };
  const target = { kind: event.targetKind, id: event.targetId, name: event.targetName };
  return recordJson(auditEvent, { ...event, actor, target, position: Number(event.position) });
}

export function catalogueChangeJson({ model, change, fields, needsAccept }: CatalogueChange): CatalogueChangeJson {
  return { model, change, fields: fields.map((field) => ({ ...field })), needs_accept: needsAccept };
}
