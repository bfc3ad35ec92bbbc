import { z } from '@hono/zod-openapi';
import { PROJECT_ORDERS } from '../../accounts/projects.ts';
import * as contract from './account-contract.ts';
import { created, json, ok } from '../answers.ts';
import { pageOf, sortedPageQuery } from '../pages.ts';

/** Requests and answers of the operations on projects. */
export const projectWire = {
  createProject: {
    body: json(contract.projectCreation, { name: 'Search', budget_usd: '100.00', budget_period: 'month' }),
    responses: created(contract.changedProject, 'The new project.'),
  },
  listProjects: {
    query: sortedPageQuery(PROJECT_ORDERS).extend({
      archived: z
        .enum(['true', 'false'])
        .optional()
        .openapi({ description: 'Whether to list the archived ones instead.' }),
      search: z.string().max(100).optional().openapi({ description: 'A part of the name.' }),
    }),
    responses: ok(pageOf(contract.project), 'Its projects, and how their budgets stand.'),
  },
  showProject: { responses: ok(contract.project, 'The project, and how its budget stands.') },
  updateProject: {
    body: json(contract.projectUpdate, { requests_per_minute: 600, models: ['small-chat'] }),
    responses: ok(contract.changedProject, 'The changed project.'),
  },
  archiveProject: { responses: ok(contract.project, 'The archived project.') },
  restoreProject: { responses: ok(contract.project, 'The restored project.') },
};
