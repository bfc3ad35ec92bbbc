import { definedFields } from '../../../lib/defined-fields.ts';
import type { z } from '@hono/zod-openapi';
import { endFormerSecret, revokeKey, rotateKey, updateKey } from '../../accounts/key-changes.ts';
import { KEY_ORDERS, type KeyFilter, listKeys } from '../../accounts/key-list.ts';
import { createKeyOnce, showKey } from '../../accounts/keys.ts';
import { findKeyId, findProjectId } from '../../accounts/references.ts';
import { makeChange } from '../../audit/change.ts';
import { isRefusal } from '../../../domain/refusals.ts';
import { pageJson, requestedSortedPage } from '../pages.ts';
import { policyWarnings } from './policy-warnings.ts';
import { keyJson } from '../representations.ts';
import { KEY_SETTINGS } from '../../resources/key-settings.ts';
import { settingsFromBody } from '../../resources/setting-values.ts';
import type { AdminApp } from '../route-access.ts';
import type { AccountParts } from './workspace-routes.ts';
import { repeatedIf, serve } from '../serve.ts';
import type { keyQuery } from './key-wire.ts';

const HOUR_MS = 3_600_000;

const OVERLAP_HOURS = 24;

/** Adds the routes of keys. */
export function addKeyRoutes(app: AdminApp, parts: AccountParts): void {
  const { sql, pacer, modelsOnSale } = parts;
  serve(app, 'createKey', async ({ scope, params, body }) => {
    const id = await findProjectId(sql, scope, params.project);
    if (isRefusal(id)) return id;
    const { name = 'unnamed', once = null, ...given } = body;
    const settings = { ...settingsFromBody(KEY_SETTINGS, given), name, once };
    const key = await makeChange(sql, (tx) => createKeyOnce(tx, scope, id, settings));
    if (isRefusal(key)) return key;
    const shown = { ...keyJson(key), warnings: policyWarnings(given.models, modelsOnSale()) };
    return key.key === null ? repeatedIf(true, { ...shown, key: null }) : { ...shown, key: key.key };
  });
  serve(app, 'listProjectKeys', async ({ scope, params, query }) => {
    const projectId = await findProjectId(sql, scope, params.project);
    if (isRefusal(projectId)) return projectId;
    const page = requestedSortedPage(query, KEY_ORDERS);
    if (isRefusal(page)) return page;
    const filter = { ...requestedFilter(query), projectId };
    return pageJson(await pacer.slice(() => listKeys(sql, scope, filter, page)), keyJson);
  });
  serve(app, 'listKeys', async ({ scope, query }) => {
    const page = requestedSortedPage(query, KEY_ORDERS);
    if (isRefusal(page)) return page;
    const filter = requestedFilter(query);
    return pageJson(await pacer.slice(() => listKeys(sql, scope, filter, page)), keyJson);
  });
  serve(app, 'showKey', async ({ scope, params }) => {
    const id = await findKeyId(sql, scope, params.key);
    if (isRefusal(id)) return id;
    const key = await showKey(sql, scope, id);
    return isRefusal(key) ? key : keyJson(key);
  });
  addKeyChanges(app, parts);
}

function addKeyChanges(app: AdminApp, { sql, modelsOnSale }: AccountParts): void {
  serve(app, 'updateKey', async ({ scope, params, body, version }) => {
    const keyId = await findKeyId(sql, scope, params.key);
    if (isRefusal(keyId)) return keyId;
    const { disabled, ...given } = body;
    const change = { ...settingsFromBody(KEY_SETTINGS, given), ...definedFields({ disabled }) };
    const key = await makeChange(sql, (tx) => updateKey(tx, scope, { keyId, version, change }));
    if (isRefusal(key)) return key;
    return { ...keyJson(key), warnings: policyWarnings(given.models, modelsOnSale()) };
  });
  serve(app, 'rotateKey', async ({ scope, params, body, version }) => {
    const keyId = await findKeyId(sql, scope, params.key);
    if (isRefusal(keyId)) return keyId;
    const { overlap_hours: hours = OVERLAP_HOURS } = body;
    const rotation = { keyId, version, overlapMs: hours * HOUR_MS };
    const key = await makeChange(sql, (tx) => rotateKey(tx, scope, rotation));
    return isRefusal(key) ? key : { ...keyJson(key), key: key.key };
  });
  serve(app, 'endFormerSecret', async ({ scope, params }) => {
    const id = await findKeyId(sql, scope, params.key);
    if (isRefusal(id)) return id;
    const key = await makeChange(sql, (tx) => endFormerSecret(tx, scope, id));
    return isRefusal(key) ? key : keyJson(key);
  });
  serve(app, 'revokeKey', async ({ scope, params }) => {
    const id = await findKeyId(sql, scope, params.key);
    if (isRefusal(id)) return id;
    const key = await makeChange(sql, (tx) => revokeKey(tx, scope, id));
    return isRefusal(key) ? key : keyJson(key);
  });
}

function requestedFilter({ state, kind, created_by: createdBy, search }: z.output<typeof keyQuery>): KeyFilter {
  return definedFields({ state, kind, createdBy, search });
}
