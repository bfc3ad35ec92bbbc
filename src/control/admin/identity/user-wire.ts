import { z } from '@hono/zod-openapi';
import { created, createdOrRepeated, json, ok } from '../answers.ts';
import * as contract from './identity-contract.ts';
import { pageOf, pageQuery } from '../pages.ts';

/** Requests and answers of the operations on users and operator tokens. */
export const userWire = {
  listUsers: {
    query: pageQuery.extend({
      search: z.string().max(200).optional().openapi({ description: 'A part of the address or the name.' }),
    }),
    responses: ok(pageOf(contract.listedUser), 'The users, oldest first.'),
  },
  changeUser: {
    body: json(contract.userChange, { disabled: true }),
    responses: ok(contract.user, 'The changed user.'),
  },
  eraseUser: {
    body: json(contract.userErasure, {}),
    responses: ok(contract.erasedUser, 'What was erased.'),
  },
  signUserOut: { responses: ok(contract.ended, 'How many sessions have ended.') },
  createUserResetLink: { responses: created(contract.link, 'The link, to pass on to the user.') },
  createSetUpLink: { responses: created(contract.link, 'The link; it works until somebody has used one.') },
  createOperatorToken: {
    body: json(contract.operatorTokenCreation, { name: 'terraform', read_only: true }),
    responses: createdOrRepeated(contract.createdOperatorToken, 'The token, which is shown once.'),
  },
  listOperatorTokens: {
    query: pageQuery,
    responses: ok(pageOf(contract.operatorToken), 'The tokens, revoked ones included, oldest first.'),
  },
  revokeOperatorToken: { responses: ok(contract.operatorToken, 'The revoked token.') },
  rotateOwnToken: {
    responses: created(contract.rotatedToken, 'The new token, which is in the data directory already.'),
  },
};
