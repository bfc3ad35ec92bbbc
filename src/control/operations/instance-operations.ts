import type { Operation } from './operation.ts';

export const INSTANCE_OPERATIONS = {
  previewCatalogue: {
    route: 'GET /catalogue/diff',
    access: 'operator:read',
    tag: 'Catalogue',
    summary: "Preview the changes that the config file's models would make",
  },
  applyCatalogue: {
    route: 'POST /catalogue/apply',
    access: 'operator:write',
    tag: 'Catalogue',
    summary: "Put the config file's models and prices on sale",
  },
  showStatus: {
    route: 'GET /status',
    access: 'operator:read',
    tag: 'Instance',
    summary: "Show the instance's version, readiness and problems",
  },
  listProcesses: {
    route: 'GET /processes',
    access: 'operator:read',
    tag: 'Instance',
    summary: 'List the processes that serve on this database',
  },
  examineInstance: {
    route: 'GET /doctor',
    access: 'operator:read',
    tag: 'Instance',
    summary: 'Check the surroundings of the instance',
  },
  showSettings: {
    route: 'GET /settings',
    access: 'operator:read',
    tag: 'Instance',
    summary: 'Show the settings in force, and those that wait for a restart',
  },
  beginRestart: {
    route: 'POST /restart',
    access: 'operator:write',
    tag: 'Instance',
    summary: 'Start a rolling restart of the workers',
    refuses: ['CONFLICT'],
  },
  showRestart: {
    route: 'GET /restart',
    access: 'operator:read',
    tag: 'Instance',
    summary: 'Show the progress of the restart, or the result of the last one',
    refuses: ['CONFLICT'],
  },
  downloadBackup: {
    route: 'GET /backup',
    access: 'operator:back_up',
    tag: 'Instance',
    summary: 'Download a backup of the whole instance; a read-only token needs to be made for it',
    needsRecentSignIn: true,
  },
  rotateSecretsKey: {
    route: 'POST /secrets/rotate',
    access: 'operator:write',
    tag: 'Instance',
    summary: "Replace the key that encrypts the database's secrets",
    needsRecentSignIn: true,
    refuses: ['CONFLICT'],
  },
  lookUp: {
    route: 'GET /look-up',
    access: 'operator:read',
    tag: 'Instance',
    summary: 'Find the workspace of a project, a key or a request',
    refuses: ['NOT_FOUND'],
  },
} as const satisfies Readonly<Record<string, Operation>>;
