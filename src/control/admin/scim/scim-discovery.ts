import { LIST_MAX } from './scim-lists.ts';
import { GROUP_SCHEMA } from './scim-group.ts';
import { USER_SCHEMA } from './scim-user.ts';

// What a directory may ask this API about itself (RFC 7643, 5 to 7).

const META_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0';

/** What of SCIM there is here. */
export function providerConfig(root: string) {
  const off = { supported: false };
  return {
    schemas: [`${META_SCHEMA}:ServiceProviderConfig`],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: LIST_MAX },
    changePassword: off,
    sort: off,
    etag: off,
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'The token of the directory, which an owner of the workspace has made.',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${root}/ServiceProviderConfig` },
  };
}

/** The kinds of resources. */
export function resourceTypes(root: string) {
  return [resourceType(root, 'User', USER_SCHEMA), resourceType(root, 'Group', GROUP_SCHEMA)];
}

function resourceType(root: string, name: string, schema: string) {
  return {
    schemas: [`${META_SCHEMA}:ResourceType`],
    id: name,
    name,
    endpoint: `/${name}s`,
    schema,
    meta: { resourceType: 'ResourceType', location: `${root}/ResourceTypes/${name}` },
  };
}

interface Traits {
  readonly type?: 'string' | 'boolean' | 'complex' | 'reference';
  readonly multiValued?: boolean;
  readonly required?: boolean;
  readonly uniqueness?: 'none' | 'server';
  readonly mutability?: 'readWrite' | 'readOnly' | 'immutable';
  readonly caseExact?: boolean;
  readonly subAttributes?: readonly object[];
}

function attribute(name: string, description: string, traits: Traits = {}) {
  return {
    name,
    type: 'string',
    multiValued: false,
    description,
    required: false,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    ...traits,
  };
}

/** The attributes that are read; all others are ignored. */
export function schemas(root: string) {
  const user = [
    attribute('userName', 'The name by which the directory knows the user.', { required: true, uniqueness: 'server' }),
    attribute('displayName', 'The name that is shown.'),
    attribute('name', 'The parts of the name.', {
      type: 'complex',
      subAttributes: [
        attribute('formatted', 'Both parts.', { mutability: 'readOnly' }),
        attribute('givenName', 'The given name.'),
        attribute('familyName', 'The family name.'),
      ],
    }),
    attribute('emails', 'The address, which is of a domain that the workspace has proven. One is kept.', {
      type: 'complex',
      multiValued: true,
      subAttributes: [
        attribute('value', 'The address. Without one, userName is the address.'),
        attribute('type', 'Always "work".'),
        attribute('primary', 'Always true.', { type: 'boolean' }),
      ],
    }),
    attribute('active', 'Whether the user is in the company. Without it all that they have here ends.', {
      type: 'boolean',
    }),
    attribute('groups', 'The groups of the user.', {
      type: 'complex',
      multiValued: true,
      mutability: 'readOnly',
      subAttributes: [
        attribute('value', 'The id of the group.', { mutability: 'readOnly' }),
        attribute('display', 'Its name.', { mutability: 'readOnly' }),
      ],
    }),
  ];
  const group = [
    attribute('displayName', 'The name of the group, which has a role if the workspace gives it one.', {
      required: true,
      uniqueness: 'server',
    }),
    attribute('members', 'The users of the group.', {
      type: 'complex',
      multiValued: true,
      subAttributes: [attribute('value', 'The id of a user.', { mutability: 'immutable' })],
    }),
  ];
  return [
    { schema: USER_SCHEMA, name: 'User', description: 'A person of the company', attributes: user },
    { schema: GROUP_SCHEMA, name: 'Group', description: 'A group of its people', attributes: group },
  ].map(({ schema: id, ...rest }) => ({
    schemas: [`${META_SCHEMA}:Schema`],
    id,
    ...rest,
    meta: { resourceType: 'Schema', location: `${root}/Schemas/${id}` },
  }));
}
