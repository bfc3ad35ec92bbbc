import { z } from '@hono/zod-openapi';
import { WORKSPACE_ORDERS } from '../../accounts/workspaces.ts';
import * as contract from './account-contract.ts';
import { created, json, ok } from '../answers.ts';
import { pageOf, sortedPageQuery } from '../pages.ts';

/** Requests and answers of the operations on workspaces. */
export const workspaceWire = {
  createWorkspace: {
    body: json(contract.workspaceCreation, { name: 'Acme' }),
    responses: created(contract.workspace, 'The new workspace.'),
  },
  listWorkspaces: {
    query: sortedPageQuery(WORKSPACE_ORDERS).extend({
      state: contract.workspace.shape.state
        .optional()
        .openapi({ description: 'Only those in this state. Default: all but closed ones.' }),
      search: z.string().max(100).optional().openapi({ description: 'A part of the name.' }),
    }),
    responses: ok(pageOf(contract.workspace), 'Workspaces, and how their credit stands.'),
  },
  showWorkspace: { responses: ok(contract.workspace, 'The workspace.') },
  changeWorkspace: {
    body: json(contract.workspaceUpdate, { name: 'Acme & Sons' }),
    responses: ok(contract.workspace, 'The changed workspace.'),
  },
  suspendWorkspace: {
    body: json(contract.suspension, { reason: 'the payment is disputed' }),
    responses: ok(contract.workspace, 'The suspended workspace.'),
  },
  resumeWorkspace: { responses: ok(contract.workspace, 'The resumed workspace.') },
  closeWorkspace: {
    responses: ok(contract.workspace, 'The workspace, which is archived once its last requests are charged.'),
  },
};
