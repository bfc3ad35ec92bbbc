import { ACCESS_SETTINGS } from '../resources/access-settings.ts';
import type { CommandTable } from './command.ts';
import { WORKSPACE } from './words.ts';

const DOMAIN = { word: '<domain>', help: 'what stands behind the "@" of mail addresses' } as const;

export const ACCESS_COMMANDS = {
  'access show': {
    calls: 'showAccess',
    summary: 'show how the people of a workspace sign in, and from where it may be used',
    takes: { workspace: WORKSPACE },
    example: 'acme',
  },
  'access update': {
    calls: 'changeAccess',
    summary: "change a workspace's own OpenID provider, its second factor and its networks",
    settings: ACCESS_SETTINGS,
    takes: {
      workspace: WORKSPACE,
      client_secret: { word: '--client-secret <secret>', help: 'the secret of this instance at the provider' },
    },
    nothing: 'nothing to change; give an option such as --second-factor true',
    example: 'acme --issuer https://login.example.com --client-id faregate --group-roles engineers=developer',
  },
} as const satisfies CommandTable;

export const DIRECTORY_COMMANDS = {
  'directory show': {
    calls: 'showDirectory',
    summary: "show whether a company's directory is connected, and what it has sent",
    takes: { workspace: WORKSPACE },
    example: 'acme',
  },
  'directory connect': {
    calls: 'makeDirectoryToken',
    summary: "make the token of a company's directory, which is shown once; a former one stops counting immediately",
    takes: { workspace: WORKSPACE },
    isConfirmed: true,
    example: 'acme',
  },
  'directory disconnect': {
    calls: 'endDirectoryToken',
    summary: "end the token of a company's directory; people and groups stay as they are",
    takes: { workspace: WORKSPACE },
    isConfirmed: true,
    example: 'acme',
  },
} as const satisfies CommandTable;

export const DOMAIN_COMMANDS = {
  'domain list': {
    calls: 'listDomains',
    summary: 'list the domains of a workspace, and the records that prove them',
    takes: { workspace: WORKSPACE },
    example: 'acme',
  },
  'domain add': {
    calls: 'addDomain',
    summary: 'add a domain of mail addresses, which counts once it is proven',
    takes: { workspace: WORKSPACE, domain: DOMAIN },
    example: 'acme example.com',
  },
  'domain prove': {
    calls: 'proveDomain',
    summary: 'prove a domain by the record in its DNS',
    takes: { workspace: WORKSPACE, domain: DOMAIN },
    example: 'acme example.com',
  },
  'domain approve': {
    calls: 'approveDomain',
    summary: "note that a domain is known to be the workspace's, which then decides over the sign-in of its people",
    takes: { workspace: WORKSPACE, domain: DOMAIN },
    isConfirmed: true,
    example: 'acme example.com',
  },
  'domain remove': {
    calls: 'removeDomain',
    summary: 'remove a domain: its people sign in as others do',
    takes: { workspace: WORKSPACE, domain: DOMAIN },
    isConfirmed: true,
    example: 'acme example.com',
  },
} as const satisfies CommandTable;
