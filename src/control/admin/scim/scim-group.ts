import type { DirectoryGroup, GroupFields } from '../../identity/directory/directory-groups.ts';
import { isRefusal, type Refusal } from '../../../domain/refusals.ts';
import { type Attributes, attributesOf, requiredText, textOf } from './scim-attributes.ts';
import type { PatchOperation } from './scim-patch.ts';
import { scimRefusal } from './scim-refusals.ts';

// Groups as SCIM has them (RFC 7643, 4.2).

export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';

/** The group as an answer has it; `root` is the address of the API. */
export function groupJson(group: DirectoryGroup, root: string): Readonly<Record<string, unknown>> {
  const { id, displayName, externalId, members } = group;
  return {
    schemas: [GROUP_SCHEMA],
    id,
    externalId: externalId ?? undefined,
    displayName,
    members: members.map((value) => ({ value, type: 'User', $ref: `${root}/Users/${value}` })),
    meta: {
      resourceType: 'Group',
      created: group.createdAt.toISOString(),
      lastModified: group.changedAt.toISOString(),
      location: `${root}/Groups/${id}`,
    },
  };
}

/** A new group, or one that replaces another. */
export function readGroup(attributes: Attributes): GroupFields | Refusal {
  const displayName = requiredText(attributes.get('displayname'), 'displayName');
  if (isRefusal(displayName)) return displayName;
  const externalId = textOf(attributes.get('externalid') ?? null, 'externalId');
  if (isRefusal(externalId)) return externalId;
  const members = readMembers(attributes.get('members') ?? []);
  return isRefusal(members) ? members : { displayName, externalId, members };
}

/** The ids of members: of a list of them, or of one. */
function readMembers(value: unknown): readonly string[] | Refusal {
  const ids = new Set<string>();
  for (const each of Array.isArray(value) ? value : [value]) {
    const id = requiredText(attributesOf(each)?.get('value') ?? each, 'members.value');
    if (isRefusal(id)) return id;
    ids.add(id.toLowerCase());
  }
  return [...ids];
}

/** What the operations of a PATCH change of a group. */
export function readPatchedGroup(
  operations: readonly PatchOperation[],
  before: GroupFields,
): Partial<GroupFields> | Refusal {
  const members = new Set(before.members);
  const texts: { displayName?: string; externalId?: string | null } = {};
  for (const operation of operations) {
    const refused = changeGroup(operation, { members, texts });
    if (refused !== null) return refused;
  }
  return { ...texts, members: [...members] };
}

interface GroupDraft {
  readonly members: Set<string>;
  readonly texts: { displayName?: string; externalId?: string | null };
}

function changeGroup(operation: PatchOperation, { members, texts }: GroupDraft): Refusal | null {
  const { op, path } = operation;
  const value = op === 'remove' ? null : operation.value;
  switch (path.attribute) {
    case 'members':
      return changeMembers(members, operation);
    case 'displayname': {
      const displayName = requiredText(value, 'displayName');
      if (isRefusal(displayName)) return displayName;
      texts.displayName = displayName;
      return null;
    }
    case 'externalid': {
      const externalId = textOf(value, 'externalId');
      if (isRefusal(externalId)) return externalId;
      texts.externalId = externalId;
      return null;
    }
    default:
      return null;
  }
}

/** Members are removed by a path with a filter, or by a list of them; without either, all are. */
function changeMembers(members: Set<string>, { op, path, value }: PatchOperation): Refusal | null {
  const [term, ...more] = path.terms;
  if (term !== undefined) {
    if (op !== 'remove' || more.length > 0 || term.attribute !== 'value' || typeof term.value !== 'string') {
      return scimRefusal('invalidPath', 'A path of members removes the one whose "value" is compared.');
    }
    members.delete(term.value.toLowerCase());
    return null;
  }
  if (op === 'remove' && (value === undefined || value === null)) {
    members.clear();
    return null;
  }
  const ids = readMembers(value);
  if (isRefusal(ids)) return ids;
  if (op === 'replace') members.clear();
  for (const id of ids) {
    if (op === 'remove') members.delete(id);
    else members.add(id);
  }
  return null;
}
