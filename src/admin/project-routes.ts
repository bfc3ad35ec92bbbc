import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi';
import { createKey, listKeys, revokeKey } from '../accounts/keys.ts';
import { updateProject } from '../accounts/projects.ts';
import { findKeyId, findProjectId } from '../accounts/references.ts';
import { isRefusal, refuse } from '../domain/refusals.ts';
import { answerRefusal, created, json, ok } from './answers.ts';
import * as contract from './contract.ts';
import { checkedLimit, requestedSettings } from './request-fields.ts';
import { policyWarnings } from './policy-warnings.ts';
import { requestedPage, pageJson, pageOf, pageQuery } from './pages.ts';
import { keyJson, projectJson } from './representations.ts';
import type { AccountParts } from './workspace-routes.ts';

const projectParams = z.object({
  project: z.string().openapi({
    description: 'Its id, `workspace/project` by their names (the slash encoded), or its name if no other has it.',
  }),
});
const keyParams = z.object({
  key: z.string().openapi({ description: 'Its id, or the part between `fg_live_` and `…` in its masked form.' }),
});

const update = createRoute({
  method: 'patch',
  path: '/admin/v1/projects/{project}',
  tags: ['Projects'],
  summary: 'Change a project; null clears a limit',
  request: { params: projectParams, body: json(contract.projectUpdate) },
  responses: ok(contract.changedProject, 'The changed project.'),
});

const create = createRoute({
  method: 'post',
  path: '/admin/v1/projects/{project}/keys',
  tags: ['Keys'],
  summary: 'Create a key; only this answer contains all of it',
  request: { params: projectParams, body: json(contract.keyCreation) },
  responses: created(contract.createdKey, 'The new key.'),
});

const list = createRoute({
  method: 'get',
  path: '/admin/v1/projects/{project}/keys',
  tags: ['Keys'],
  summary: 'List the keys of a project',
  request: { params: projectParams, query: pageQuery },
  responses: ok(pageOf(contract.key), 'Its keys, oldest first, including revoked ones.'),
});

const revoke = createRoute({
  method: 'post',
  path: '/admin/v1/keys/{key}/revoke',
  tags: ['Keys'],
  summary: 'Revoke a key',
  request: { params: keyParams },
  responses: ok(contract.key, 'The revoked key.'),
});

/** Adds the routes under `/projects` and `/keys`. */
export function addProjectRoutes(app: OpenAPIHono, { sql, pacer, modelsOnSale }: AccountParts): void {
  app.openapi(update, async (c) => {
    const id = await findProjectId(sql, c.req.valid('param').project);
    if (isRefusal(id)) return answerRefusal(c, id);
    const given = c.req.valid('json');
    const project = await updateProject(sql, id, requestedSettings(given));
    if (project === null) return answerRefusal(c, refuse('NOT_FOUND', 'There is no such project.'));
    if (isRefusal(project)) return answerRefusal(c, project);
    return c.json({ ...projectJson(project), warnings: policyWarnings(given.models, modelsOnSale()) }, 200);
  });
  app.openapi(create, async (c) => {
    const id = await findProjectId(sql, c.req.valid('param').project);
    if (isRefusal(id)) return answerRefusal(c, id);
    const { name = 'unnamed', spend_limit_usd: limit, models = null, expires_at: expiry } = c.req.valid('json');
    const spendLimit = checkedLimit(limit) ?? null;
    const expiresAt = expiry === null || expiry === undefined ? null : new Date(expiry);
    const key = await createKey(sql, id, { name, spendLimit, models, expiresAt });
    if (isRefusal(key)) return answerRefusal(c, key);
    return c.json({ ...keyJson(key), key: key.key, warnings: policyWarnings(models, modelsOnSale()) }, 201);
  });
  app.openapi(list, async (c) => {
    const id = await findProjectId(sql, c.req.valid('param').project);
    if (isRefusal(id)) return answerRefusal(c, id);
    const page = await pacer.slice(() => listKeys(sql, id, requestedPage(c.req.valid('query'))));
    return c.json(pageJson(page, keyJson), 200);
  });
  app.openapi(revoke, async (c) => {
    const id = await findKeyId(sql, c.req.valid('param').key);
    if (isRefusal(id)) return answerRefusal(c, id);
    const key = await revokeKey(sql, id);
    if (key === null) return answerRefusal(c, refuse('NOT_FOUND', 'There is no such key.'));
    return c.json(keyJson(key), 200);
  });
}
