import * as contract from './alert-contract.ts';
import { created, json, ok } from '../answers.ts';
import { pageOf, pageQuery } from '../pages.ts';

export const deliveryQuery = pageQuery.extend(contract.deliveryFilter);
const endpointsAnswer = ok(pageOf(contract.webhook), 'The endpoints, oldest first.');
const endpointAnswer = ok(contract.webhook, 'The endpoint.');
const createdAnswer = created(contract.createdWebhook, 'The new endpoint with its secret.');
const rotatedAnswer = ok(contract.webhookWithSecret, 'The endpoint with its new secret.');
const queuedAnswer = ok(contract.delivery, 'The delivery, which is sent within seconds.');
const deliveryAnswer = ok(contract.delivery, 'The delivery.');
const deliveriesAnswer = ok(pageOf(contract.delivery), 'Deliveries of the last month, newest first.');

/** Requests and answers of the operations on webhook endpoints and deliveries: a workspace's, and the operator's own. */
export const webhookWire = {
  listWebhooks: { query: pageQuery, responses: endpointsAnswer },
  createWebhook: {
    body: json(contract.webhookCreation, { url: 'https://hooks.example.com/faregate', description: 'on-call' }),
    responses: createdAnswer,
  },
  updateWebhook: { body: json(contract.webhookUpdate, { enabled: false }), responses: endpointAnswer },
  rotateWebhookSecret: { body: json(contract.webhookRotation, { overlap_hours: 24 }), responses: rotatedAnswer },
  deleteWebhook: { responses: endpointAnswer },
  testWebhook: { responses: queuedAnswer },
  listDeliveries: { query: deliveryQuery, responses: deliveriesAnswer },
  showDelivery: { responses: deliveryAnswer },
  resendDelivery: { responses: queuedAnswer },
  listInstanceWebhooks: { query: pageQuery, responses: endpointsAnswer },
  createInstanceWebhook: {
    body: json(contract.webhookCreation, { url: 'https://hooks.example.com/faregate', description: 'on-call' }),
    responses: createdAnswer,
  },
  updateInstanceWebhook: { body: json(contract.webhookUpdate, { enabled: false }), responses: endpointAnswer },
  rotateInstanceWebhookSecret: {
    body: json(contract.webhookRotation, { overlap_hours: 24 }),
    responses: rotatedAnswer,
  },
  deleteInstanceWebhook: { responses: endpointAnswer },
  testInstanceWebhook: { responses: queuedAnswer },
  listInstanceDeliveries: { query: deliveryQuery, responses: deliveriesAnswer },
  showInstanceDelivery: { responses: deliveryAnswer },
  resendInstanceDelivery: { responses: queuedAnswer },
};
