import { z } from '@hono/zod-openapi';
import { json, ok } from '../answers.ts';
import * as contract from './access-contract.ts';
import { directory, newDirectoryToken } from './directory-contract.ts';
import { done } from './identity-contract.ts';

const params = { domain: z.string().max(253).openapi({ description: 'What stands behind the "@" of addresses.' }) };

/** Requests and answers of the operations on who may use a workspace. */
export const accessWire = {
  showAccess: { responses: ok(contract.access, 'How its people sign in, and from where it may be used.') },
  changeAccess: {
    body: json(contract.accessUpdate, { issuer: 'https://login.example.com', client_id: 'faregate' }),
    responses: ok(contract.access, 'As it is now.'),
  },
  listDomains: { responses: ok(contract.domains, 'The domains, by name: 50 at most.') },
  addDomain: {
    body: json(contract.domainCreation, { domain: 'example.com' }),
    responses: ok(
      contract.domain,
      'The domain, with the record that proves it; one that is there already stays as it is.',
    ),
  },
  proveDomain: { params, responses: ok(contract.domain, 'The proven domain.') },
  approveDomain: { params, responses: ok(contract.domain, 'The proven domain.') },
  removeDomain: { params, responses: ok(done, 'It is done.') },
  showDirectory: { responses: ok(directory, 'The connection.') },
  makeDirectoryToken: { responses: ok(newDirectoryToken, 'The connection, with the token.') },
  endDirectoryToken: { responses: ok(directory, 'The connection, without a token.') },
};
