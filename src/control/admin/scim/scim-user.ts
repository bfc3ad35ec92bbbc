import type { DirectoryUser, PersonChange, PersonFields } from '../../identity/directory/directory-users.ts';
import { isRefusal, type Refusal } from '../../../domain/refusals.ts';
import { type Attributes, attributesOf, fieldsOf, flagOf, objectOf, requiredText, textOf } from './scim-attributes.ts';
import { passes } from './scim-filter.ts';
import type { PatchOperation } from './scim-patch.ts';
import { scimRefusal } from './scim-refusals.ts';

// Users as SCIM has them (RFC 7643, 4.1). What isn't known here is not read.

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';

/** The user as an answer has it; `root` is the address of the API. */
export function userJson(user: DirectoryUser, root: string): Readonly<Record<string, unknown>> {
  const { id, userName, externalId, displayName, givenName, familyName, email, active, groups } = user;
  const names = [givenName, familyName].filter((part) => part !== null);
  return {
    schemas: [USER_SCHEMA],
    id,
    externalId: externalId ?? undefined,
    userName,
    displayName: displayName ?? undefined,
    ...(names.length === 0
      ? {}
      : {
          name: {
            formatted: names.join(' '),
            givenName: givenName ?? undefined,
            familyName: familyName ?? undefined,
          },
        }),
    emails: [{ value: email, type: 'work', primary: true }],
    active,
    groups: groups.map((group) => ({
      value: group.id,
      display: group.name,
      type: 'direct',
      $ref: `${root}/Groups/${group.id}`,
    })),
    meta: {
      resourceType: 'User',
      created: user.createdAt.toISOString(),
      lastModified: user.changedAt.toISOString(),
      location: `${root}/Users/${id}`,
    },
  };
}

/** A new user. */
export function readNewUser(body: Attributes): PersonFields | Refusal {
  const given = readUser(body);
  if (isRefusal(given)) return given;
  const userName = requiredText(given.userName, 'userName');
  if (isRefusal(userName)) return userName;
  return { ...NOBODY, ...given, userName };
}

const NOBODY = {
  externalId: null,
  displayName: null,
  givenName: null,
  familyName: null,
  email: null,
  active: true,
} as const satisfies Partial<PersonFields>;

/** A user that replaces the present one: what isn't given is removed, but for the address and whether they are active. */
export function readReplacedUser(body: Attributes): PersonChange | Refusal {
  const given = readUser(body);
  if (isRefusal(given)) return given;
  const userName = requiredText(given.userName, 'userName');
  if (isRefusal(userName)) return userName;
  const { active: _active, email: _email, ...removed } = NOBODY;
  return { ...removed, ...given, userName };
}

function readUser(attributes: Attributes): Partial<PersonFields> | Refusal {
  return inOrder(Array.from(attributes, ([name, value]) => readAttribute(name, value)));
}

/** What several attributes say, the last of one counting; or the first refusal. */
function inOrder(read: readonly (Partial<PersonFields> | Refusal)[]): Partial<PersonFields> | Refusal {
  return read.find((each) => isRefusal(each)) ?? (Object.assign({}, ...read) as Partial<PersonFields>);
}

/** What an attribute of a user says, by its name in lower case; nothing if it isn't known. */
function readAttribute(name: string, value: unknown): Partial<PersonFields> | Refusal {
  switch (name) {
    case 'username':
      return fieldsOf<Pick<PersonFields, 'userName'>>({ userName: requiredText(value, 'userName') });
    case 'externalid':
      return fieldsOf<Pick<PersonFields, 'externalId'>>({ externalId: textOf(value, 'externalId') });
    case 'displayname':
      return fieldsOf<Pick<PersonFields, 'displayName'>>({ displayName: textOf(value, 'displayName') });
    case 'active':
      return fieldsOf<Pick<PersonFields, 'active'>>({ active: flagOf(value, 'active') });
    case 'name':
      return readName(value);
    case 'name.givenname':
      return fieldsOf<Pick<PersonFields, 'givenName'>>({ givenName: textOf(value, 'name.givenName') });
    case 'name.familyname':
      return fieldsOf<Pick<PersonFields, 'familyName'>>({ familyName: textOf(value, 'name.familyName') });
    case 'emails':
      return readEmails(value);
    case 'emails.value':
      return fieldsOf<Pick<PersonFields, 'email'>>({ email: textOf(value, 'emails.value') });
    default:
      return {};
  }
}

function readName(value: unknown): Partial<PersonFields> | Refusal {
  if (value === null) return { givenName: null, familyName: null };
  const name = objectOf(value, '"name"');
  if (isRefusal(name)) return name;
  const [givenName, familyName] = [name.get('givenname'), name.get('familyname')];
  return fieldsOf<Pick<PersonFields, 'givenName' | 'familyName'>>({
    givenName: givenName === undefined ? undefined : textOf(givenName, 'name.givenName'),
    familyName: familyName === undefined ? undefined : textOf(familyName, 'name.familyName'),
  });
}

/** Of several addresses the primary one counts, else that for work, else the first. */
function readEmails(value: unknown): Partial<PersonFields> | Refusal {
  if (value === null) return { email: null };
  const emails = (Array.isArray(value) ? value : [value]).map(attributesOf).filter((email) => email !== null);
  const isPrimary = emails.find((email) => String(email.get('primary')).toLowerCase() === 'true');
  const chosen = isPrimary ?? emails.find((email) => email.get('type') === 'work') ?? emails[0];
  if (chosen === undefined) return { email: null };
  return fieldsOf<Pick<PersonFields, 'email'>>({ email: textOf(chosen.get('value') ?? null, 'emails.value') });
}

const OWN_EMAIL = { type: 'work', primary: true } as const;

/** What the operations of a PATCH change. */
export function readPatchedUser(operations: readonly PatchOperation[]): PersonChange | Refusal {
  return inOrder(operations.map(readChange));
}

function readChange({ op, path, value }: PatchOperation): PersonChange | Refusal {
  const { attribute, terms, part } = path;
  // There is one address: a change of another kind of it is about none here.
  if (terms.length > 0 && (attribute !== 'emails' || !passes(terms, OWN_EMAIL))) return {};
  // `emails[type eq "work"]` without a part has the whole address as its value.
  const name = part === null ? attribute : `${attribute}.${part}`;
  if (op !== 'remove') return readAttribute(name, value);
  if (name === 'username' || name === 'active') return scimRefusal('mutability', `"${name}" can not be removed.`);
  return readAttribute(name, null);
}
