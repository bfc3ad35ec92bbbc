import { json, ok } from '../answers.ts';
import * as contract from './offer-contract.ts';

/** Requests and answers of the operations on what the config file and the database declare. */
export const offerWire = {
  showOffer: {
    description:
      'What the config file of this instance declares counts before what the database declares under the same name. All instances read what is in the database within a second of a change.',
    responses: ok(contract.offer, "The config file's, in its order, then the database's, in the order of their names."),
  },
  storeProvider: {
    description: 'An expected version of 0 is that of a provider that is not there yet.',
    body: json(contract.providerStoring, {
      declaration: { kind: 'openai', base_url: 'https://api.openai.com/v1' },
      api_key: 'sk-1234',
    }),
    responses: ok(contract.offeredProvider, 'The provider.'),
  },
  deleteProvider: { responses: ok(contract.offeredProvider, 'The provider that was removed.') },
  probeProvider: {
    description: 'It costs nothing. The provider is asked by the process that answers, with its key.',
    responses: ok(contract.providerProbe, 'The models that it lists, in its order.'),
  },
  storeModel: {
    description:
      'An expected version of 0 is that of a model that is not there yet. Its price comes into force as one in the config file does: with the embedded database within a second, else by an apply of the catalogue.',
    body: json(contract.modelStoring, {
      declaration: {
        routes: [{ provider: 'openai', model: 'gpt-5-mini', cost: { input: '0.25', output: '2.00' } }],
        markup: '10%',
        context_window: 400_000,
        max_output: 128_000,
      },
    }),
    responses: ok(contract.offeredModel, 'The model.'),
  },
  deleteModel: { responses: ok(contract.offeredModel, 'The model that was removed.') },
};
