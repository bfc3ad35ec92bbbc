import { ROLES } from '../../domain/roles.ts';
import type { SettingsOf, SettingTable } from './setting.ts';

/** What people decide about who may use a workspace: how its people sign in, and from where it may be used. */
export const ACCESS_SETTINGS = {
  issuer: {
    kind: 'text',
    wire: 'issuer',
    max: 500,
    description: 'The issuer of its own OpenID provider, as the provider names itself; null: it has none.',
    label: 'Issuer',
    help: 'The address by which your OpenID provider names itself: https://login.example.com. Empty: you have none.',
    option: '--issuer <url>',
    optionHelp: 'the issuer of its own OpenID provider, or none',
  },
  clientId: {
    kind: 'text',
    wire: 'client_id',
    max: 255,
    label: 'Client id',
    help: 'By which the provider knows this instance.',
    option: '--client-id <id>',
    optionHelp: 'the id of this instance at the provider, or none',
  },
  trustsAddresses: {
    kind: 'flag',
    wire: 'trusts_addresses',
    initial: false,
    description:
      'Whether addresses count of which the provider does not say whether they are verified, as Entra ID does not. Only for a provider whose administrators alone set the addresses of its people.',
    label: 'Addresses count without email_verified',
    help: 'For providers such as Entra ID that do not send it, where your administrators alone set the addresses of people.',
    option: '--trusts-addresses <bool>',
    optionHelp: 'whether addresses count that the provider does not say are verified',
  },
  groupsClaim: {
    kind: 'text',
    wire: 'groups_claim',
    max: 100,
    description: 'The claim with the groups of a person; null: `groups`.',
    label: 'Claim of groups',
    help: 'Empty: groups.',
    option: '--groups-claim <name>',
    optionHelp: "the claim with a person's groups, or none for groups",
  },
  groupRoles: {
    kind: 'mapping',
    wire: 'group_roles',
    to: ROLES,
    description:
      "The role of each group's people; of several the strongest. A member's role follows their groups at each sign-in; owners stay owners unless a group has that role. Without groups, roles are given by hand.",
    label: 'Roles of groups',
    help: 'One group a line: engineers=developer. Roles: owner, admin, developer, billing, viewer, member. Empty: roles are given by hand.',
    option: '--group-roles <roles...>',
    optionHelp: 'the roles of all groups, such as engineers=developer; none removes them',
  },
  defaultRole: {
    kind: 'choice',
    wire: 'default_role',
    of: ['none', 'member', 'viewer', 'billing', 'developer', 'admin'],
    initial: 'none',
    words: {
      none: 'No role: they are refused',
      member: 'Member',
      viewer: 'Viewer',
      billing: 'Billing',
      developer: 'Developer',
      admin: 'Admin',
    },
    description:
      'The role of people of none of these groups; `none`: they are refused, unless roles are given by hand and they have one.',
    label: 'Role of everybody else',
    option: '--default-role <role>',
    optionHelp: 'the role of people of none of these groups; none refuses them',
  },
  onlyOpenid: {
    kind: 'flag',
    wire: 'only_openid',
    initial: false,
    description:
      "Whether people with an address of the workspace's proven domains sign in at its provider alone. An owner gets in by an operator's link for a new password.",
    label: 'Only by your provider',
    help: 'People with an address of your proven domains can not sign in by password any more. If your provider fails, the operator lets an owner in.',
    option: '--only-openid <bool>',
    optionHelp: 'whether people of its domains sign in at its provider alone',
  },
  secondFactor: {
    kind: 'flag',
    wire: 'second_factor',
    initial: false,
    description:
      'Whether sessions of members need a second factor: a code of an authenticator app, or the sign-in at its own provider, which asks for one itself.',
    label: 'Members need a second factor',
    help: 'Until they have given a code of an authenticator app, members see nothing here. A sign-in at your own provider counts as one.',
    option: '--second-factor <bool>',
    optionHelp: 'whether members need a second factor',
  },
  endsLeaversKeys: {
    kind: 'flag',
    wire: 'ends_leavers_keys',
    initial: true,
    description:
      'Whether the keys that somebody has made end when the directory of the company says that they have left. Their sessions and access tokens end in any case.',
    label: 'Keys end with their makers',
    help: 'When your directory says that somebody has left, the keys that they have made end. Without it, somebody else has to rotate them.',
    option: '--ends-leavers-keys <bool>',
    optionHelp: 'whether the keys of people end whom the directory says have left',
  },
  allowedNetworks: {
    kind: 'networks',
    wire: 'allowed_networks',
    description: 'The networks from which its members and its keys may call; null: from anywhere.',
    label: 'Used from',
    help: 'One network a line: 203.0.113.0/24, 2001:db8::/32. Members, tokens and keys are refused from elsewhere. Empty: from anywhere.',
    option: '--networks <cidrs>',
    optionHelp: 'comma-separated networks from which members and keys may call, or none',
  },
} as const satisfies SettingTable;

/** The settings of the access to a workspace. */
export type AccessSettings = SettingsOf<typeof ACCESS_SETTINGS>;
