import { isRefusal, refuse } from '../../../domain/refusals.ts';
import { linkUrl } from '../../identity/links.ts';
import {
  createOperatorToken,
  listOperatorTokens,
  recordRotation,
  revokeOperatorToken,
} from '../../identity/operator-tokens.ts';
import { makerOf } from '../../identity/makers.ts';
import type { Pacer } from '../../../lib/pacer.ts';
import { makeResetLink } from '../../identity/passwords.ts';
import { makeSetUpLink } from '../../identity/set-up.ts';
import { eraseUser } from '../../identity/erase-user.ts';
import { changeUser, listUsers, signUserOut } from '../../identity/users.ts';
import type { IdentityDependencies } from './identity-dependencies.ts';
import { listedUserJson, operatorTokenJson, userJson } from './identity-representations.ts';
import { allowLongResponse } from '../long-answers.ts';
import { pagesOf, requestedPage } from '../pages.ts';
import type { AdminApp } from '../route-access.ts';
import { serve, repeatedIf } from '../serve.ts';

/** Adds the routes of the operator about users and operator tokens. */
export function addUserRoutes(app: AdminApp, deps: IdentityDependencies & { readonly pacer: Pacer }): void {
  const { sql, pacer } = deps;
  serve(app, 'listUsers', pagesOf(listedUserJson), async ({ operator, query }) => {
    const { search = null, ...page } = query;
    return await listUsers(sql, operator, search, requestedPage(page));
  });
  serve(app, 'changeUser', userJson, async ({ operator, params, body }) => {
    const { disabled, operator: isOperator } = body;
    return await changeUser(sql, operator, params.user, {
      ...(disabled === undefined ? {} : { isDisabled: disabled }),
      ...(isOperator === undefined ? {} : { isOperator }),
    });
  });
  serve(app, 'eraseUser', async ({ operator, params, body, c }) => {
    allowLongResponse(c);
    const { leave_without_owner: leavesOwnerless = false } = body;
    const erased = await eraseUser({ sql, pacer }, operator, params.user, { leavesOwnerless });
    if (isRefusal(erased)) return erased;
    const { userId: id, placeholder: email, auditEvents, postings } = erased;
    return { id, email, audit_events: auditEvents, postings };
  });
  serve(app, 'signUserOut', async ({ operator, params }) => {
    const ended = await signUserOut(sql, operator, params.user);
    return isRefusal(ended) ? ended : { ended };
  });
  serve(app, 'createUserResetLink', async ({ operator, params }) => {
    const link = await makeResetLink(deps, operator, params.user);
    return isRefusal(link) ? link : { link };
  });
  serve(app, 'createSetUpLink', async ({ operator }) => {
    const secret = await makeSetUpLink(sql, makerOf(operator.act.actor));
    if (secret === null) return refuse('CONFLICT', 'The instance has been set up.');
    return { link: linkUrl(deps.publicUrl(), 'set_up', secret) };
  });
  addOperatorTokenRoutes(app, deps);
}

function addOperatorTokenRoutes(app: AdminApp, { sql, rotateOwnToken }: IdentityDependencies): void {
  serve(app, 'rotateOwnToken', async ({ operator }) => {
    const token = await rotateOwnToken();
    if (isRefusal(token)) return token;
    await recordRotation(sql, operator);
    return { token };
  });
  serve(app, 'createOperatorToken', async ({ operator, body }) => {
    const { name, read_only: isReadOnly = false, backup = false, once = null } = body;
    const access = isReadOnly ? (backup ? 'read_and_backup' : 'read') : 'all';
    const token = await createOperatorToken(sql, operator, { name, access, once });
    if (isRefusal(token)) return token;
    return repeatedIf(token.secret === null, { ...operatorTokenJson(token), token: token.secret });
  });
  serve(app, 'listOperatorTokens', pagesOf(operatorTokenJson), ({ operator, query }) =>
    listOperatorTokens(sql, operator, requestedPage(query)),
  );
  serve(app, 'revokeOperatorToken', operatorTokenJson, ({ operator, params }) =>
    revokeOperatorToken(sql, operator, params.token),
  );
}
