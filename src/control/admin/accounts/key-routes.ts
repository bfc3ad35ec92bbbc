import { definedFields } from '../../../lib/defined-fields.ts';
import { z } from '@hono/zod-openapi';
import { endFormerSecret, revokeKey, rotateKey, updateKey } from '../../accounts/key-changes.ts';
import { KEY_ORDERS, type KeyFilter, listKeys } from '../../accounts/key-list.ts';
import { createKeyOnce, showKey } from '../../accounts/keys.ts';
import { findKeyId, findProjectId } from '../../accounts/references.ts';
import { makeChange } from '../../audit/change.ts';
import { KEY_KINDS } from '../../../domain/key.ts';
import { isRefusal } from '../../../domain/refusals.ts';
import * as contract from './account-contract.ts';
import { answerRefusal, createdOrRepeated, json, ok } from '../answers.ts';
import { pageJson, pageOf, requestedSortedPage, sortedPageQuery } from '../pages.ts';
import { policyWarnings } from './policy-warnings.ts';
import { id as idField } from '../contract-fields.ts';
import { keyJson } from '../representations.ts';
import { KEY_SETTINGS } from '../../resources/key-settings.ts';
import { settingsFromBody } from '../../resources/setting-values.ts';
import { type AdminApp, expectedVersion, inWorkspace, workspaceRoute } from '../route-access.ts';
import type { AccountParts } from './workspace-routes.ts';

const tags = ['Keys'];
const HOUR_MS = 3_600_000;
const OVERLAP_HOURS = 24;

const projectParams = z.object({ ...inWorkspace, project: z.string().openapi({ description: 'Id or name.' }) });
const keyParams = z.object({
  ...inWorkspace,
  key: z.string().openapi({ description: 'Its id, or the part between `fg_live_` and `…` in its masked form.' }),
});
const keyQuery = sortedPageQuery(KEY_ORDERS).extend({
  state: z
    .enum(['active', 'disabled', 'expired', 'revoked'])
    .optional()
    .openapi({ description: 'Only those in this state.' }),
  kind: z
    .enum(KEY_KINDS)
    .optional()
    .openapi({ description: '`console`: those of members in the playground, which are left out otherwise.' }),
  created_by: idField.optional().openapi({ description: 'Only those that this user created.' }),
  search: z.string().max(100).optional().openapi({
    description:
      "A part of the name, of the key's public id, or of its creator's name or address; the last four characters of the key; or its id.",
    example: 'abcd',
  }),
});

const create = workspaceRoute('keys:write', {
  operationId: 'createKey',
  refuses: ['CONFLICT'],
  method: 'post',
  path: '/projects/{project}/keys',
  tags,
  summary: 'Create a key; only this answer contains all of it',
  needsRecentSignIn: true,
  request: {
    params: projectParams,
    body: json(contract.keyCreation, {
      name: 'search service',
      spend_limit_usd: '50.00',
      models: ['small-chat'],
      expires_at: '2099-12-31',
      metadata: { team: 'search' },
    }),
  },
  responses: createdOrRepeated(contract.newKey, 'The new key; without its secret on a repeat.'),
});

const listOfProject = workspaceRoute('keys:read', {
  operationId: 'listProjectKeys',
  method: 'get',
  path: '/projects/{project}/keys',
  tags,
  summary: 'List the keys of a project',
  request: { params: projectParams, query: keyQuery },
  responses: ok(pageOf(contract.key), 'Its keys, including revoked ones, and how their limits stand.'),
});

const list = workspaceRoute('keys:read', {
  operationId: 'listKeys',
  method: 'get',
  path: '/keys',
  tags,
  summary: 'List the keys of a workspace',
  request: { params: z.object(inWorkspace), query: keyQuery },
  responses: ok(pageOf(contract.key), 'Its keys, including revoked ones, and how their limits stand.'),
});

const show = workspaceRoute('keys:read', {
  operationId: 'showKey',
  method: 'get',
  path: '/keys/{key}',
  tags,
  summary: 'Show a key',
  request: { params: keyParams },
  responses: ok(contract.key, 'The key, and how its limit stands.'),
});

const update = workspaceRoute('keys:write', {
  operationId: 'updateKey',
  refuses: ['CONFLICT'],
  isVersioned: true,
  method: 'patch',
  path: '/keys/{key}',
  tags,
  summary: 'Change, disable or enable a key; null clears a limit',
  needsRecentSignIn: true,
  request: { params: keyParams, body: json(contract.keyUpdate, { spend_limit_usd: '75.00', disabled: false }) },
  responses: ok(contract.changedKey, 'The changed key.'),
});

const rotate = workspaceRoute('keys:write', {
  operationId: 'rotateKey',
  refuses: ['CONFLICT'],
  isVersioned: true,
  method: 'post',
  path: '/keys/{key}/rotate',
  tags,
  summary: 'Give a key another secret; the former one works for a while longer, under the same limit',
  needsRecentSignIn: true,
  request: { params: keyParams, body: json(contract.keyRotation, { overlap_hours: 24 }) },
  responses: ok(contract.rotatedKey, 'The key with its new secret.'),
});

const endFormer = workspaceRoute('keys:write', {
  operationId: 'endFormerSecret',
  method: 'post',
  path: '/keys/{key}/end-former-secret',
  tags,
  summary: 'End the former secret of a rotated key before its time',
  needsRecentSignIn: true,
  request: { params: keyParams },
  responses: ok(contract.key, 'The key, which only its present secret opens.'),
});

const revoke = workspaceRoute('keys:write', {
  operationId: 'revokeKey',
  method: 'post',
  path: '/keys/{key}/revoke',
  tags,
  summary: 'Revoke a key for good',
  needsRecentSignIn: true,
  request: { params: keyParams },
  responses: ok(contract.key, 'The revoked key.'),
});

/** Adds the routes of keys. */
export function addKeyRoutes(app: AdminApp, parts: AccountParts): void {
  const { sql, pacer, modelsOnSale } = parts;
  app.openapi(create, async (c) => {
    const id = await findProjectId(sql, c.var.scope, c.req.valid('param').project);
    if (isRefusal(id)) return answerRefusal(c, id);
    const { name = 'unnamed', once = null, ...given } = c.req.valid('json');
    const settings = { ...settingsFromBody(KEY_SETTINGS, given), name, once };
    const key = await makeChange(sql, (tx) => createKeyOnce(tx, c.var.scope, id, settings));
    if (isRefusal(key)) return answerRefusal(c, key);
    const body = { ...keyJson(key), warnings: policyWarnings(given.models, modelsOnSale()) };
    return key.key === null ? c.json({ ...body, key: null }, 200) : c.json({ ...body, key: key.key }, 201);
  });
  app.openapi(listOfProject, async (c) => {
    const projectId = await findProjectId(sql, c.var.scope, c.req.valid('param').project);
    if (isRefusal(projectId)) return answerRefusal(c, projectId);
    const query = c.req.valid('query');
    const page = requestedSortedPage(query, KEY_ORDERS);
    if (isRefusal(page)) return answerRefusal(c, page);
    const filter = { ...requestedFilter(query), projectId };
    return c.json(pageJson(await pacer.slice(() => listKeys(sql, c.var.scope, filter, page)), keyJson), 200);
  });
  app.openapi(list, async (c) => {
    const query = c.req.valid('query');
    const page = requestedSortedPage(query, KEY_ORDERS);
    if (isRefusal(page)) return answerRefusal(c, page);
    const filter = requestedFilter(query);
    return c.json(pageJson(await pacer.slice(() => listKeys(sql, c.var.scope, filter, page)), keyJson), 200);
  });
  app.openapi(show, async (c) => {
    const id = await findKeyId(sql, c.var.scope, c.req.valid('param').key);
    if (isRefusal(id)) return answerRefusal(c, id);
    const key = await showKey(sql, c.var.scope, id);
    return isRefusal(key) ? answerRefusal(c, key) : c.json(keyJson(key), 200);
  });
  addKeyChanges(app, parts);
}

function addKeyChanges(app: AdminApp, { sql, modelsOnSale }: AccountParts): void {
  app.openapi(update, async (c) => {
    const version = expectedVersion(c);
    if (isRefusal(version)) return answerRefusal(c, version);
    const keyId = await findKeyId(sql, c.var.scope, c.req.valid('param').key);
    if (isRefusal(keyId)) return answerRefusal(c, keyId);
    const { disabled, ...given } = c.req.valid('json');
    const change = { ...settingsFromBody(KEY_SETTINGS, given), ...definedFields({ disabled }) };
    const key = await makeChange(sql, (tx) => updateKey(tx, c.var.scope, { keyId, version, change }));
    if (isRefusal(key)) return answerRefusal(c, key);
    return c.json({ ...keyJson(key), warnings: policyWarnings(given.models, modelsOnSale()) }, 200);
  });
  app.openapi(rotate, async (c) => {
    const version = expectedVersion(c);
    if (isRefusal(version)) return answerRefusal(c, version);
    const keyId = await findKeyId(sql, c.var.scope, c.req.valid('param').key);
    if (isRefusal(keyId)) return answerRefusal(c, keyId);
    const { overlap_hours: hours = OVERLAP_HOURS } = c.req.valid('json');
    const rotation = { keyId, version, overlapMs: hours * HOUR_MS };
    const key = await makeChange(sql, (tx) => rotateKey(tx, c.var.scope, rotation));
    return isRefusal(key) ? answerRefusal(c, key) : c.json({ ...keyJson(key), key: key.key }, 200);
  });
  app.openapi(endFormer, async (c) => {
    const id = await findKeyId(sql, c.var.scope, c.req.valid('param').key);
    if (isRefusal(id)) return answerRefusal(c, id);
    const key = await makeChange(sql, (tx) => endFormerSecret(tx, c.var.scope, id));
    return isRefusal(key) ? answerRefusal(c, key) : c.json(keyJson(key), 200);
  });
  app.openapi(revoke, async (c) => {
    const id = await findKeyId(sql, c.var.scope, c.req.valid('param').key);
    if (isRefusal(id)) return answerRefusal(c, id);
    const key = await makeChange(sql, (tx) => revokeKey(tx, c.var.scope, id));
    return isRefusal(key) ? answerRefusal(c, key) : c.json(keyJson(key), 200);
  });
}

function requestedFilter({ state, kind, created_by: createdBy, search }: z.output<typeof keyQuery>): KeyFilter {
  return definedFields({ state, kind, createdBy, search });
}
