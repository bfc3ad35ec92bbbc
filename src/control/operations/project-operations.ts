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
} as const satisfies Readonly<Record<string, Operation>>;
