import type { Operation } from './operation.ts';

const DIRECTORY = '/workspaces/{workspace}/directory';
const DOMAINS = '/workspaces/{workspace}/domains';

export const ACCESS_OPERATIONS = {
  showAccess: {
    route: 'GET /workspaces/{workspace}/access',
    access: 'access:read',
    tag: 'Access',
    summary: 'Show how the people of a workspace sign in, and from where it may be used',
  },
  changeAccess: {
    route: 'PATCH /workspaces/{workspace}/access',
    access: 'access:write',
    tag: 'Access',
    summary: "Change a workspace's own OpenID provider, its second factor and its networks",
    isVersioned: true,
    needsRecentSignIn: true,
    refuses: ['CONFLICT'],
  },
  listDomains: {
    route: `GET ${DOMAINS}`,
    access: 'access:read',
    tag: 'Access',
    summary: 'List the domains of mail addresses that a workspace says are its own',
  },
  addDomain: {
    route: `POST ${DOMAINS}`,
    access: 'access:write',
    tag: 'Access',
    summary: 'Add a domain, which counts once it is proven',
    needsRecentSignIn: true,
    refuses: ['CONFLICT'],
  },
  proveDomain: {
    route: `POST ${DOMAINS}/{domain}/prove`,
    access: 'access:write',
    tag: 'Access',
    summary: 'Prove a domain by a record in its DNS',
    needsRecentSignIn: true,
    refuses: ['CONFLICT'],
  },
  approveDomain: {
    route: `POST ${DOMAINS}/{domain}/approve`,
    access: 'domains:approve',
    tag: 'Access',
    summary: "Note that a domain is known to be the workspace's",
    needsRecentSignIn: true,
    refuses: ['CONFLICT'],
  },
  removeDomain: {
    route: `DELETE ${DOMAINS}/{domain}`,
    access: 'access:write',
    tag: 'Access',
    summary: 'Remove a domain; its people sign in as others do',
    needsRecentSignIn: true,
  },
  showDirectory: {
    route: `GET ${DIRECTORY}`,
    access: 'access:read',
    tag: 'Access',
    summary: "Show whether the directory of a workspace's company is connected (SCIM), and what it has sent",
  },
  makeDirectoryToken: {
    route: `POST ${DIRECTORY}/token`,
    access: 'directory:write',
    tag: 'Access',
    summary: "Make the token of the company's directory; a former one stops counting immediately",
    needsRecentSignIn: true,
    refuses: ['CONFLICT'],
  },
  endDirectoryToken: {
    route: `DELETE ${DIRECTORY}/token`,
    access: 'directory:write',
    tag: 'Access',
    summary: "End the token of the company's directory",
    needsRecentSignIn: true,
  },
} as const satisfies Readonly<Record<string, Operation>>;
