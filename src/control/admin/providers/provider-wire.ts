import { ok } from '../answers.ts';
import { providers } from './provider-contract.ts';

/** Requests and answers of the operations on providers. */
export const providerWire = {
  listProviders: {
    description:
      "Each process knows routes by its own attempts alone, so the answer adds up the processes of this instance that answer within a second. Other instances on the same database are not among them. What is known is dropped when the config file is read again. Routes of several models to the same model of a provider share their state. The sandbox's routes never rest. `day` is of all instances on the database, and outlives restarts: processes add what they have counted every ten seconds. It is a model's alone.",
    responses: ok(providers, "Providers in the config file's order."),
  },
};
