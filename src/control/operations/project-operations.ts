import type { Operation } from './operation.ts';

export const PROJECT_OPERATIONS = {
  createProject: {
    route: 'POST /workspaces/{workspace}/projects',
    access: 'projects:write',
    tag: 'Projects',
    summary: 'Create a project',
    refuses: ['CONFLICT'],
  },
  listProjects: {
    route: 'GET /workspaces/{workspace}/projects',
    access: 'projects:read',
    servesOwn: true,
    tag: 'Projects',
    summary: 'List the projects of a workspace',
  },
  showProject: {
    route: 'GET /workspaces/{workspace}/projects/{project}',
    access: 'projects:read',
    servesOwn: true,
    tag: 'Projects',
    summary: 'Show a project',
  },
  updateProject: {
    route: 'PATCH /workspaces/{workspace}/projects/{project}',
    access: 'projects:write',
    tag: 'Projects',
    summary: 'Change a project; null clears a limit',
    isVersioned: true,
    refuses: ['CONFLICT'],
  },
  archiveProject: {
    route: 'POST /workspaces/{workspace}/projects/{project}/archive',
    access: 'projects:write',
    tag: 'Projects',
    summary: 'Archive a project: its keys are refused until it is restored',
    isVersioned: true,
    refuses: ['CONFLICT'],
  },
  restoreProject: {
    route: 'POST /workspaces/{workspace}/projects/{project}/restore',
    access: 'projects:write',
    tag: 'Projects',
    summary: 'Restore an archived project, named by its id',
    isVersioned: true,
    refuses: ['CONFLICT'],
  },
  listEndUserLimits: {
    route: 'GET /workspaces/{workspace}/projects/{project}/end-users',
    access: 'projects:read',
    tag: 'Projects',
    summary: 'List the end users of a project whose limits are set one by one',
  },
  showEndUser: {
    route: 'GET /workspaces/{workspace}/projects/{project}/end-user',
    access: 'projects:read',
    tag: 'Projects',
    summary: 'Show how the limit of an end user stands, by the name that requests give',
  },
  setEndUserLimit: {
    route: 'PUT /workspaces/{workspace}/projects/{project}/end-users',
    access: 'projects:write',
    tag: 'Projects',
    summary: "Set the limit of one end user, in the place of the project's for each",
    refuses: ['CONFLICT'],
  },
  removeEndUserLimit: {
    route: 'DELETE /workspaces/{workspace}/projects/{project}/end-users/{endUser}',
    access: 'projects:write',
    tag: 'Projects',
    summary: "Remove the limit of one end user, and their name: the project's for each holds again",
  },
} as const satisfies Readonly<Record<string, Operation>>;
