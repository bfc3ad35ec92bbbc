import { z } from '@hono/zod-openapi';
import { KEY_ORDERS } from '../../accounts/key-list.ts';
import { KEY_KINDS } from '../../../domain/key.ts';
import { KEY_STATES } from '../../../domain/key-lists.ts';
import * as contract from './account-contract.ts';
import { createdOrRepeated, json, ok } from '../answers.ts';
import { pageOf, sortedPageQuery } from '../pages.ts';
import { id as idField } from '../contract-fields.ts';

export const keyQuery = sortedPageQuery(KEY_ORDERS).extend({
  state: z.enum(KEY_STATES).optional().openapi({ description: 'Only those in this state.' }),
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

/** Requests and answers of the operations on keys. */
export const keyWire = {
  createKey: {
    body: json(contract.keyCreation, {
      name: 'search service',
      spend_limit_usd: '50.00',
      models: ['small-chat'],
      expires_at: '2099-12-31',
      metadata: { team: 'search' },
    }),
    responses: createdOrRepeated(contract.newKey, 'The new key; without its secret on a repeat.'),
  },
  listProjectKeys: {
    query: keyQuery,
    responses: ok(pageOf(contract.key), 'Its keys, including revoked ones, and how their limits stand.'),
  },
  listKeys: {
    query: keyQuery,
    responses: ok(pageOf(contract.key), 'Its keys, including revoked ones, and how their limits stand.'),
  },
  showKey: { responses: ok(contract.key, 'The key, and how its limit stands.') },
  updateKey: {
    body: json(contract.keyUpdate, { spend_limit_usd: '75.00', disabled: false }),
    responses: ok(contract.changedKey, 'The changed key.'),
  },
  rotateKey: {
    body: json(contract.keyRotation, { overlap_hours: 24 }),
    responses: ok(contract.rotatedKey, 'The key with its new secret.'),
  },
  endFormerSecret: { responses: ok(contract.key, 'The key, which only its present secret opens.') },
  revokeKey: { responses: ok(contract.key, 'The revoked key.') },
};
