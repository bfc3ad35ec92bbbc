import { z } from '@hono/zod-openapi';
import { END_USER_BYTES_MAX } from '../../../domain/end-user.ts';
import { KEY_KINDS } from '../../../domain/key.ts';
import { KEY_SETTINGS } from '../../resources/key-settings.ts';
import { RAISE_SETTINGS } from '../../resources/raise-settings.ts';
import { END_USER_SETTINGS } from '../../resources/end-user-settings.ts';
import { PROJECT_SETTINGS } from '../../resources/project-settings.ts';
import { WORKSPACE_SETTINGS } from '../../resources/workspace-settings.ts';
import { amount, creationName, digestId, heldFields, id, reason, standing, timestamp } from '../contract-fields.ts';
import { answeredFields, name, requestedFields } from '../setting-fields.ts';

// The wire of workspaces, projects and keys, on which the admin API's server, its client and its document agree.

const version = z.int().openapi({
  description:
    'Counts the changes. Send it as `If-Match`, and a change on top of one that you have not seen is refused.',
});

export const workspaceCreation = z.strictObject({ name, once: creationName.optional() }).openapi('WorkspaceCreation');

export const workspaceUpdate = z.strictObject(requestedFields(WORKSPACE_SETTINGS)).openapi('WorkspaceUpdate');

export const suspension = z.strictObject({ reason }).openapi('Suspension');

export const projectCreation = z
  .strictObject({ ...requestedFields(PROJECT_SETTINGS), name, once: creationName.optional() })
  .openapi('ProjectCreation');

/** A raise of a limit for a time, as a request gives it. */
export const raise = z.object(requestedFields(RAISE_SETTINGS));

export const projectUpdate = z
  .strictObject(requestedFields({ ...PROJECT_SETTINGS, ...RAISE_SETTINGS }))
  .openapi('ProjectUpdate');

export const keyCreation = z
  .strictObject({ ...requestedFields(KEY_SETTINGS), once: creationName.optional() })
  .openapi('KeyCreation');

export const keyUpdate = z
  .strictObject({
    ...requestedFields({ ...KEY_SETTINGS, ...RAISE_SETTINGS }),
    disabled: z.boolean().optional().openapi({ description: 'Whether it is refused until it is enabled again.' }),
  })
  .openapi('KeyUpdate');

const OVERLAP_HELP = 'must be a whole number of hours from 0 to 720';
export const keyRotation = z
  .strictObject({
    overlap_hours: z
      .int({ error: OVERLAP_HELP })
      .min(0, OVERLAP_HELP)
      .max(720, OVERLAP_HELP)
      .optional()
      .openapi({ description: 'How long the former secret works too; 24 unless given.' }),
  })
  .openapi('KeyRotation');

const movedTo = z.string().nullable().openapi({
  description: 'The shard of the cell in which the workspace lives now, and is changed; null: in this one.',
});

export const workspace = z
  .object({
    id,
    ...answeredFields(WORKSPACE_SETTINGS),
    state: z.enum(['active', 'suspended', 'closing', 'closed']),
    suspension_reason: z.string().nullable(),
    suspended_by: z.enum(['owner', 'operator']).nullable().openapi({
      description: 'Owners resume what an owner has suspended, and operators everything; null: it is not suspended.',
    }),
    moved_to: movedTo,
    moved_to_url: z.string().nullable().openapi({ description: 'The address of that cell.' }),
    created_at: timestamp,
    version,
    ...amount('credit'),
    ...amount('balance'),
    ...heldFields,
    ...amount('owed'),
    ...amount('expiring', 'What of the balance expires next; zero if nothing does.'),
    expires_at: timestamp.nullable().openapi({ description: 'When that expires; null if nothing does.' }),
  })
  .openapi('Workspace');

export const project = z
  .object({
    id,
    workspace_id: id,
    ...answeredFields(PROJECT_SETTINGS),
    ...answeredFields(RAISE_SETTINGS),
    ...standing,
    created_at: timestamp,
    archived_at: timestamp.nullable(),
    version,
  })
  .openapi('Project', {
    description: 'To the role `member`, which sees its own things alone, no budget is shown, and as used nothing.',
  });

const END_USER_HELP = `must be 1 to ${END_USER_BYTES_MAX} bytes of text`;
export const endUserName = z
  .string({ error: END_USER_HELP })
  .regex(/^[^\0\p{Cs}]+$/u, END_USER_HELP)
  .refine((text) => new TextEncoder().encode(text).length <= END_USER_BYTES_MAX, END_USER_HELP)
  .openapi({ description: 'The name by which requests call them, letter for letter.', maxLength: END_USER_BYTES_MAX });

export const endUserQuery = { name: endUserName };

const { limit_usd: endUserLimit, ...endUserRaise } = requestedFields({ ...END_USER_SETTINGS, ...RAISE_SETTINGS });

export const endUserChange = z
  .strictObject({ name: endUserName, limit_usd: endUserLimit.unwrap(), ...endUserRaise })
  .openapi('EndUserChange');

export const endUser = z
  .object({
    id: digestId.openapi({
      description: 'A digest of project and name, by which nobody is found who does not know the name.',
    }),
    name: z.string(),
    is_own: z
      .boolean()
      .openapi({ description: "Whether the limit is set for them; else it is the project's for each." }),
    ...answeredFields(END_USER_SETTINGS),
    ...answeredFields(RAISE_SETTINGS),
    ...standing,
  })
  .openapi('EndUser');

const warnings = z.array(z.string()).openapi({
  description: 'Accepted, but probably a mistake: entries that match no model on sale.',
});

export const changedProject = project.extend({ warnings }).openapi('ChangedProject');

export const key = z
  .object({
    id,
    workspace_id: id,
    project_id: id,
    kind: z.enum(KEY_KINDS).openapi({
      description: '`console`: a member’s requests from the playground are charged to it, and nobody has its secret.',
    }),
    project_name: z.string(),
    ...answeredFields(KEY_SETTINGS),
    ...answeredFields(RAISE_SETTINGS),
    masked_key: z.string(),
    ...standing,
    disabled_at: timestamp.nullable(),
    revoked_at: timestamp.nullable(),
    former_secret_until: timestamp.nullable().openapi({
      description: 'Until when the secret that it had before it was rotated works too; null if none does.',
    }),
    last_used_at: timestamp.nullable().openapi({
      description: 'When it was last used, known within ten seconds; null if it never was.',
    }),
    created_by: id
      .nullable()
      .openapi({ description: 'Its owner, the user who created it; null: none, or the operator.' }),
    created_by_name: z.string().nullable().openapi({ description: 'The present name of that user.' }),
    invited_email: z.string().nullable().openapi({
      description:
        'The address of the person with whose open invitation it was made: once they accept, they are its owner, and their limit counts it. Null: there is none.',
    }),
    created_at: timestamp,
    version,
  })
  .openapi('Key');

export const changedKey = key.extend({ warnings }).openapi('ChangedKey');

const secret = { key: z.string().openapi({ description: 'The key in full. It is not shown again.' }) };

const createdKey = changedKey.extend(secret).openapi('CreatedKey');

const repeatedKey = changedKey.extend({ key: z.null() }).openapi('RepeatedKey', {
  description: 'A key that an earlier request with the same `once` has created. Its secret was in that answer.',
});

export const newKey = z.union([createdKey, repeatedKey]);

export const rotatedKey = key.extend(secret).openapi('RotatedKey');

export const location = z
  .object({
    workspace_id: id,
    workspace_name: z.string(),
    moved_to: movedTo,
    id,
    kind: z.enum(['project', 'key', 'receipt', 'refusal']),
  })
  .openapi('Location', { description: 'A project, key, receipt or refusal, and the workspace that it belongs to.' });

const fields = z.record(z.string(), z.unknown()).nullable();

export const auditEvent = z
  .object({
    id,
    at: timestamp,
    actor: z.object({
      kind: z.enum(['operator', 'session', 'access_token', 'job']),
      name: z.string(),
      user_id: id.nullable(),
    }),
    action: z.string(),
    target: z.object({ kind: z.string(), id: z.string(), name: z.string().nullable() }),
    before: fields,
    after: fields,
    address: z.string().nullable(),
    request_id: z.string().nullable(),
    position: z.int().openapi({ description: "Its place in the hash chain of the workspace's changes, from 1." }),
    event_sha256: z.string().openapi({
      description: 'The digest of the change as it was recorded: it has another one if somebody was erased from it.',
    }),
    chain_sha256: z.string().openapi({ description: 'The hash of that chain, up to and with this change.' }),
  })
  .openapi('AuditEvent');

export type WorkspaceCreation = z.input<typeof workspaceCreation>;
export type WorkspaceUpdate = z.input<typeof workspaceUpdate>;
export type Suspension = z.input<typeof suspension>;
export type ProjectCreation = z.input<typeof projectCreation>;
export type ProjectUpdate = z.input<typeof projectUpdate>;
export type KeyCreation = z.input<typeof keyCreation>;
export type KeyUpdate = z.input<typeof keyUpdate>;
export type KeyRotation = z.input<typeof keyRotation>;
export type EndUserJson = z.infer<typeof endUser>;
export type LocationJson = z.infer<typeof location>;
export type WorkspaceJson = z.infer<typeof workspace>;
export type ProjectJson = z.infer<typeof project>;
export type KeyJson = z.infer<typeof key>;
export type CreatedKeyJson = z.infer<typeof createdKey>;
export type NewKeyJson = z.infer<typeof newKey>;
export type AuditEventJson = z.infer<typeof auditEvent>;
