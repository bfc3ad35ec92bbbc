import type * as people from '../identity/identity-contract.ts';
import { type Call, type Page, type PageQuery, path, queryOf } from './call.ts';

/** The calls about users and operator tokens. Each @throws AdminRefused, AdminUnreachable */
export function identityCalls(call: Call) {
  return {
    createOperatorToken: (body: people.OperatorTokenCreation) =>
      call<people.CreatedOperatorTokenJson>('POST', '/operator-tokens', body),
    listOperatorTokens: (page: PageQuery = {}) =>
      call<Page<people.OperatorTokenJson>>('GET', '/operator-tokens' + queryOf(page)),
    revokeOperatorToken: (token: string) =>
      call<people.OperatorTokenJson>('POST', path`/operator-tokens/${token}/revoke`),
    rotateOwnToken: () => call<people.RotatedTokenJson>('POST', '/operator-tokens/rotate'),
    listUsers: (query: PageQuery & { readonly search?: string } = {}) =>
      call<Page<people.ListedUserJson>>('GET', '/users' + queryOf(query)),
    changeUser: (user: string, body: people.UserChange) => call<people.UserJson>('PATCH', path`/users/${user}`, body),
    signUserOut: (user: string) => call<{ readonly ended: number }>('POST', path`/users/${user}/sign-out`),
    createUserResetLink: (user: string) => call<people.LinkJson>('POST', path`/users/${user}/reset-link`),
    createSetUpLink: () => call<people.LinkJson>('POST', '/set-up-links'),
  };
}
