import { z } from '@hono/zod-openapi';
import { createKey, listKeys, revokeKey } from '../accounts/keys.ts';
import { findKeyId, findProjectId } from '../accounts/references.ts';
import { isRefusal, refuse } from '../domain/refusals.ts';
import { answerRefusal, created, json, ok } from './answers.ts';
import * as contract from './contract.ts';
import { checkedLimit } from './request-fields.ts';
import { policyWarnings } from './policy-warnings.ts';
import { requestedPage, pageJson, pageOf, pageQuery } from './pages.ts';
import { keyJson } from './representations.ts';
import { type AdminApp, inWorkspace, workspaceRoute } from './route-access.ts';
import type { AccountParts } from './workspace-routes.ts';

const tags = ['Keys'];
const projectParams = z.object({ ...inWorkspace, project: z.string().openapi({ description: 'Id or name.' }) });
const keyParams = z.object({
  ...inWorkspace,
  key: z.string().openapi({ description: 'Its id, or the part between `fg_live_` and `…` in its masked form.' }),
});

const create = workspaceRoute('keys:write', {
  operationId: 'createKey',
  method: 'post',
  path: '/projects/{project}/keys',
  tags,
  summary: 'Create a key; only this answer contains all of it',
  needsRecentSignIn: true,
  request: { params: projectParams, body: json(contract.keyCreation) },
  responses: created(contract.createdKey, 'The new key.'),
});

const list = workspaceRoute('keys:read', {
  operationId: 'listKeys',
  method: 'get',
  path: '/projects/{project}/keys',
  tags,
  summary: 'List the keys of a project',
  request: { params: projectParams, query: pageQuery },
  responses: ok(pageOf(contract.key), 'Its keys, oldest first, including revoked ones.'),
});

const revoke = workspaceRoute('keys:write', {
  operationId: 'revokeKey',
  method: 'post',
  path: '/keys/{key}/revoke',
  tags,
  summary: 'Revoke a key',
  needsRecentSignIn: true,
  request: { params: keyParams },
  responses: ok(contract.key, 'The revoked key.'),
});

/** Adds the routes of keys. */
export function addKeyRoutes(app: AdminApp, { sql, pacer, modelsOnSale }: AccountParts): void {
  app.openapi(create, async (c) => {
    const id = await findProjectId(sql, c.var.scope, c.req.valid('param').project);
    if (isRefusal(id)) return answerRefusal(c, id);
    const { name = 'unnamed', spend_limit_usd: limit, models = null, expires_at: expiry } = c.req.valid('json');
    const spendLimit = checkedLimit(limit) ?? null;
    const expiresAt = expiry === null || expiry === undefined ? null : new Date(expiry);
    const key = await createKey(sql, id, { name, spendLimit, models, expiresAt });
    if (isRefusal(key)) return answerRefusal(c, key);
    return c.json({ ...keyJson(key), key: key.key, warnings: policyWarnings(models, modelsOnSale()) }, 201);
  });
  app.openapi(list, async (c) => {
    const id = await findProjectId(sql, c.var.scope, c.req.valid('param').project);
    if (isRefusal(id)) return answerRefusal(c, id);
    const page = await pacer.slice(() => listKeys(sql, id, requestedPage(c.req.valid('query'))));
    return c.json(pageJson(page, keyJson), 200);
  });
  app.openapi(revoke, async (c) => {
    const id = await findKeyId(sql, c.var.scope, c.req.valid('param').key);
    if (isRefusal(id)) return answerRefusal(c, id);
    const key = await revokeKey(sql, id);
    if (key === null) return answerRefusal(c, refuse('NOT_FOUND', 'There is no such key.'));
    return c.json(keyJson(key), 200);
  });
}
