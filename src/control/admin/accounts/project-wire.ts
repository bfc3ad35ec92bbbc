import { z } from '@hono/zod-openapi';
import { END_USER_ORDERS } from '../../accounts/end-users.ts';
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
  listEndUserLimits: {
    query: sortedPageQuery(END_USER_ORDERS),
    responses: ok(pageOf(contract.endUser), 'End users with limits of their own, and how these stand.'),
  },
  showEndUser: {
    query: z.strictObject(contract.endUserQuery),
    responses: ok(contract.endUser, 'The end user. Of a name that no request has given, nothing is used.'),
  },
  setEndUserLimit: {
    body: json(contract.endUserChange, { name: 'ada', limit_usd: '50.00' }),
    responses: ok(contract.endUser, 'The end user, with this limit.'),
  },
  removeEndUserLimit: {
    responses: ok(contract.endUser, "The end user, with the project's limit for each."),
  },
  restoreProject: { responses: ok(contract.project, 'The restored project.') },
};
