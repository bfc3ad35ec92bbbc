import * as contract from './alert-contract.ts';
import { created, json, ok } from '../answers.ts';
import { ofBothOwners } from '../owned-wires.ts';
import { pageOf, pageQuery } from '../pages.ts';

const endpoint = ok(contract.webhook, 'The endpoint.');
const queued = ok(contract.delivery, 'The delivery, which is sent within seconds.');

/** Requests and answers of the operations on webhook endpoints and deliveries: a workspace's, and the operator's own. */
export const webhookWire = ofBothOwners({
  listWebhooks: { query: pageQuery, responses: ok(pageOf(contract.webhook), 'The endpoints, oldest first.') },
  createWebhook: {
    body: json(contract.webhookCreation, { url: 'https://hooks.example.com/faregate', description: 'on-call' }),
    responses: created(contract.createdWebhook, 'The new endpoint with its secret.'),
  },
  updateWebhook: { body: json(contract.webhookUpdate, { enabled: false }), responses: endpoint },
  rotateWebhookSecret: {
    body: json(contract.webhookRotation, { overlap_hours: 24 }),
    responses: ok(contract.webhookWithSecret, 'The endpoint with its new secret.'),
  },
  deleteWebhook: { responses: endpoint },
  testWebhook: { responses: queued },
  listDeliveries: {
    query: pageQuery.extend(contract.deliveryFilter),
    responses: ok(pageOf(contract.delivery), 'Deliveries of the last month, newest first.'),
  },
  showDelivery: { responses: ok(contract.delivery, 'The delivery.') },
  resendDelivery: { responses: queued },
});
