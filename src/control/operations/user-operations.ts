import type { Operation } from './operation.ts';

export const USER_OPERATIONS = {
  listUsers: {
    route: 'GET /users',
    access: 'operator:read',
    tag: 'Users',
    summary: 'List the users of the instance',
  },
  changeUser: {
    route: 'PATCH /users/{user}',
    access: 'operator:write',
    tag: 'Users',
    summary: 'Disable a user, or make one an operator',
    needsRecentSignIn: true,
    refuses: ['CONFLICT'],
  },
  eraseUser: {
    route: 'POST /users/{user}/erase',
    access: 'operator:write',
    tag: 'Users',
    summary: 'Erase a person: what is kept from then on leads to nobody',
    needsRecentSignIn: true,
    refuses: ['CONFLICT'],
  },
  signUserOut: {
    route: 'POST /users/{user}/sign-out',
    access: 'operator:write',
    tag: 'Users',
    summary: 'End all sessions of a user',
    needsRecentSignIn: true,
  },
  createUserResetLink: {
    route: 'POST /users/{user}/reset-link',
    access: 'operator:write',
    tag: 'Users',
    summary: 'Make a link by which a user sets a new password',
    needsRecentSignIn: true,
  },
  createSetUpLink: {
    route: 'POST /set-up-links',
    access: 'operator:write',
    tag: 'Users',
    summary: 'Make a link by which the first owner sets the instance up',
    refuses: ['CONFLICT'],
  },
  createOperatorToken: {
    route: 'POST /operator-tokens',
    access: 'operator:write',
    tag: 'Operator tokens',
    summary: 'Make an operator token: for everything, for reading, or for reading and backups',
    needsRecentSignIn: true,
    refuses: ['CONFLICT'],
  },
  listOperatorTokens: {
    route: 'GET /operator-tokens',
    access: 'operator:read',
    tag: 'Operator tokens',
    summary: "List the operator tokens beside the instance's own",
  },
  revokeOperatorToken: {
    route: 'POST /operator-tokens/{token}/revoke',
    access: 'operator:write',
    tag: 'Operator tokens',
    summary: 'Revoke an operator token',
  },
  rotateOwnToken: {
    route: 'POST /operator-tokens/rotate',
    access: 'operator:write',
    tag: 'Operator tokens',
    summary: "Replace the instance's own operator token",
    needsRecentSignIn: true,
  },
} as const satisfies Readonly<Record<string, Operation>>;
