import { definedFields } from '../../../lib/defined-fields.ts';
import type { z } from '@hono/zod-openapi';
import { endFormerSecret, revokeKey, rotateKey, updateKey } from '../../accounts/key-changes.ts';
import { KEY_ORDERS, type KeyFilter, listKeys } from '../../accounts/key-list.ts';
import { createKeyOnce, showKey } from '../../accounts/keys.ts';
import { findKeyId, findProjectId } from '../../accounts/references.ts';
import { makeChange } from '../../audit/change.ts';
import { isRefusal } from '../../../domain/refusals.ts';
import type { WorkspaceScope } from '../../../domain/workspace-scope.ts';
import type { SqlRunner } from '../../../lib/sql.ts';
import { pagesOf, requestedSortedPage } from '../pages.ts';
import { policyWarnings } from './policy-warnings.ts';
import { keyJson } from '../representations.ts';
import { KEY_SETTINGS } from '../../resources/key-settings.ts';
import { RAISE_SETTINGS } from '../../resources/raise-settings.ts';
import { settingsFromBody } from '../../resources/setting-values.ts';
import type { AdminApp } from '../route-access.ts';
import type { AccountParts } from './workspace-routes.ts';
import { repeatedIf, serve, unlessRefused } from '../serve.ts';
import type { keyQuery } from './key-wire.ts';

const HOUR_MS = 3_600_000;

const OVERLAP_HOURS = 24;

/** Adds the routes of keys. */
export function addKeyRoutes(app: AdminApp, parts: AccountParts): void {
  const { sql, pacer, modelsOnSale } = parts;
  const list = async (scope: WorkspaceScope, query: z.output<typeof keyQuery>, projectId?: string) => {
    const page = requestedSortedPage(query, KEY_ORDERS);
    if (isRefusal(page)) return page;
    const { state, kind, created_by: createdBy, search } = query;
    const filter: KeyFilter = definedFields({ state, kind, createdBy, search, projectId });
    return await pacer.slice(() => listKeys(sql, scope, filter, page));
  };
  serve(app, 'createKey', async ({ scope, params, body }) => {
    const { name = 'unnamed', once = null, ...given } = body;
    const settings = { ...settingsFromBody(KEY_SETTINGS, given), name, once };
    const key = await unlessRefused(findProjectId(sql, scope, params.project), (id) =>
      makeChange(sql, (tx) => createKeyOnce(tx, scope, id, settings)),
    );
    if (isRefusal(key)) return key;
    const shown = { ...keyJson(key), warnings: policyWarnings(given.models, modelsOnSale()) };
    return key.key === null ? repeatedIf(true, { ...shown, key: null }) : { ...shown, key: key.key };
  });
  serve(app, 'listProjectKeys', pagesOf(keyJson), ({ scope, params, query }) =>
    unlessRefused(findProjectId(sql, scope, params.project), (id) => list(scope, query, id)),
  );
  serve(app, 'listKeys', pagesOf(keyJson), ({ scope, query }) => list(scope, query));
  serve(app, 'showKey', keyJson, ({ scope, params }) =>
    unlessRefused(findKeyId(sql, scope, params.key), (id) => showKey(sql, scope, id)),
  );
  addKeyChanges(app, parts);
}

function addKeyChanges(app: AdminApp, { sql, modelsOnSale }: AccountParts): void {
  /** Changes the key that is named. */
  const changeOf = <Changed>(
    scope: WorkspaceScope,
    named: string,
    change: (tx: SqlRunner, id: string) => Promise<Changed>,
  ) => unlessRefused(findKeyId(sql, scope, named), (id) => makeChange(sql, (tx) => change(tx, id)));
  serve(app, 'updateKey', async ({ scope, params, body, version }) => {
    const { disabled, ...given } = body;
    const change = {
      ...settingsFromBody({ ...KEY_SETTINGS, ...RAISE_SETTINGS }, given),
      ...definedFields({ disabled }),
    };
    const key = await changeOf(scope, params.key, (tx, keyId) => updateKey(tx, scope, { keyId, version, change }));
    return isRefusal(key) ? key : { ...keyJson(key), warnings: policyWarnings(given.models, modelsOnSale()) };
  });
  serve(app, 'rotateKey', async ({ scope, params, body, version }) => {
    const { overlap_hours: hours = OVERLAP_HOURS } = body;
    const overlap = { version, overlapMs: hours * HOUR_MS };
    const key = await changeOf(scope, params.key, (tx, keyId) => rotateKey(tx, scope, { keyId, ...overlap }));
    return isRefusal(key) ? key : { ...keyJson(key), key: key.key };
  });
  serve(app, 'endFormerSecret', keyJson, ({ scope, params }) =>
    changeOf(scope, params.key, (tx, id) => endFormerSecret(tx, scope, id)),
  );
  serve(app, 'revokeKey', keyJson, ({ scope, params }) =>
    changeOf(scope, params.key, (tx, id) => revokeKey(tx, scope, id)),
  );
}
