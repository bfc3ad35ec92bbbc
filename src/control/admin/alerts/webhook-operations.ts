import { z } from '@hono/zod-openapi';
import * as contract from './alert-contract.ts';
import { created, json, ok } from '../answers.ts';
import { id } from '../contract-fields.ts';
import { pageOf, pageQuery } from '../pages.ts';
import { inWorkspace, operatorRoute, workspaceRoute } from '../route-access.ts';

// The routes of webhook endpoints and deliveries: a workspace's, and the operator's own.

const tags = ['Webhooks'];
const webhookId = { webhook: id.openapi({ description: 'The id of a webhook endpoint.' }) };
const deliveryId = { delivery: id.openapi({ description: 'The id of a delivery.' }) };
export const deliveryQuery = pageQuery.extend(contract.deliveryFilter);

const endpointsAnswer = ok(pageOf(contract.webhook), 'The endpoints, oldest first.');
const endpointAnswer = ok(contract.webhook, 'The endpoint.');
const createdAnswer = created(contract.createdWebhook, 'The new endpoint with its secret.');
const rotatedAnswer = ok(contract.webhookWithSecret, 'The endpoint with its new secret.');
const queuedAnswer = ok(contract.delivery, 'The delivery, which is sent within seconds.');
const deliveryAnswer = ok(contract.delivery, 'The delivery.');
const deliveriesAnswer = ok(pageOf(contract.delivery), 'Deliveries of the last month, newest first.');

/** Of a workspace. */
export const ofWorkspace = {
  list: workspaceRoute('alerts:read', {
    operationId: 'listWebhooks',
    method: 'get',
    path: '/webhooks',
    tags,
    summary: 'List the webhook endpoints of a workspace',
    request: { params: z.object(inWorkspace), query: pageQuery },
    responses: endpointsAnswer,
  }),
  create: workspaceRoute('alerts:write', {
    operationId: 'createWebhook',
    refuses: ['CONFLICT'],
    method: 'post',
    path: '/webhooks',
    tags,
    summary: 'Create a webhook endpoint; only this answer contains its secret',
    needsRecentSignIn: true,
    request: {
      params: z.object(inWorkspace),
      body: json(contract.webhookCreation, { url: 'https://hooks.example.com/faregate', description: 'on-call' }),
    },
    responses: createdAnswer,
  }),
  update: workspaceRoute('alerts:write', {
    operationId: 'updateWebhook',
    isVersioned: true,
    method: 'patch',
    path: '/webhooks/{webhook}',
    tags,
    summary: 'Change a webhook endpoint',
    request: {
      params: z.object({ ...inWorkspace, ...webhookId }),
      body: json(contract.webhookUpdate, { enabled: false }),
    },
    responses: endpointAnswer,
  }),
  rotate: workspaceRoute('alerts:write', {
    operationId: 'rotateWebhookSecret',
    isVersioned: true,
    method: 'post',
    path: '/webhooks/{webhook}/rotate',
    tags,
    summary: 'Give a webhook endpoint a new secret; only this answer contains it',
    needsRecentSignIn: true,
    request: {
      params: z.object({ ...inWorkspace, ...webhookId }),
      body: json(contract.webhookRotation, { overlap_hours: 24 }),
    },
    responses: rotatedAnswer,
  }),
  remove: workspaceRoute('alerts:write', {
    operationId: 'deleteWebhook',
    isVersioned: true,
    method: 'delete',
    path: '/webhooks/{webhook}',
    tags,
    summary: 'Delete a webhook endpoint, and give up what waits for it',
    request: { params: z.object({ ...inWorkspace, ...webhookId }) },
    responses: endpointAnswer,
  }),
  test: workspaceRoute('alerts:write', {
    operationId: 'testWebhook',
    method: 'post',
    path: '/webhooks/{webhook}/test',
    tags,
    summary: 'Send a test to a webhook endpoint',
    request: { params: z.object({ ...inWorkspace, ...webhookId }) },
    responses: queuedAnswer,
  }),
  deliveries: workspaceRoute('alerts:read', {
    operationId: 'listDeliveries',
    method: 'get',
    path: '/deliveries',
    tags,
    summary: 'List the mails and webhook deliveries of a workspace',
    request: { params: z.object(inWorkspace), query: deliveryQuery },
    responses: deliveriesAnswer,
  }),
  delivery: workspaceRoute('alerts:read', {
    operationId: 'showDelivery',
    method: 'get',
    path: '/deliveries/{delivery}',
    tags,
    summary: 'Show a mail or webhook delivery of a workspace',
    request: { params: z.object({ ...inWorkspace, ...deliveryId }) },
    responses: deliveryAnswer,
  }),
  resend: workspaceRoute('alerts:write', {
    operationId: 'resendDelivery',
    refuses: ['CONFLICT'],
    method: 'post',
    path: '/deliveries/{delivery}/resend',
    tags,
    summary: 'Send a delivery again',
    request: { params: z.object({ ...inWorkspace, ...deliveryId }) },
    responses: queuedAnswer,
  }),
} as const;

/** Of the operator. */
export const ofOperator = {
  list: operatorRoute({
    operationId: 'listInstanceWebhooks',
    method: 'get',
    path: '/webhooks',
    tags,
    summary: "List the operator's webhook endpoints",
    request: { query: pageQuery },
    responses: endpointsAnswer,
  }),
  create: operatorRoute({
    operationId: 'createInstanceWebhook',
    refuses: ['CONFLICT'],
    method: 'post',
    path: '/webhooks',
    tags,
    summary: "Create a webhook endpoint of the operator's; only this answer contains its secret",
    needsRecentSignIn: true,
    request: {
      body: json(contract.webhookCreation, { url: 'https://hooks.example.com/faregate', description: 'on-call' }),
    },
    responses: createdAnswer,
  }),
  update: operatorRoute({
    operationId: 'updateInstanceWebhook',
    isVersioned: true,
    method: 'patch',
    path: '/webhooks/{webhook}',
    tags,
    summary: "Change a webhook endpoint of the operator's",
    request: { params: z.object(webhookId), body: json(contract.webhookUpdate, { enabled: false }) },
    responses: endpointAnswer,
  }),
  rotate: operatorRoute({
    operationId: 'rotateInstanceWebhookSecret',
    isVersioned: true,
    method: 'post',
    path: '/webhooks/{webhook}/rotate',
    tags,
    summary: "Give a webhook endpoint of the operator's a new secret; only this answer contains it",
    needsRecentSignIn: true,
    request: { params: z.object(webhookId), body: json(contract.webhookRotation, { overlap_hours: 24 }) },
    responses: rotatedAnswer,
  }),
  remove: operatorRoute({
    operationId: 'deleteInstanceWebhook',
    isVersioned: true,
    method: 'delete',
    path: '/webhooks/{webhook}',
    tags,
    summary: "Delete a webhook endpoint of the operator's, and give up what waits for it",
    request: { params: z.object(webhookId) },
    responses: endpointAnswer,
  }),
  test: operatorRoute({
    operationId: 'testInstanceWebhook',
    method: 'post',
    path: '/webhooks/{webhook}/test',
    tags,
    summary: "Send a test to a webhook endpoint of the operator's",
    request: { params: z.object(webhookId) },
    responses: queuedAnswer,
  }),
  deliveries: operatorRoute({
    operationId: 'listInstanceDeliveries',
    method: 'get',
    path: '/deliveries',
    tags,
    summary: "List the operator's mails and webhook deliveries",
    request: { query: deliveryQuery },
    responses: deliveriesAnswer,
  }),
  delivery: operatorRoute({
    operationId: 'showInstanceDelivery',
    method: 'get',
    path: '/deliveries/{delivery}',
    tags,
    summary: "Show one of the operator's mails or webhook deliveries",
    request: { params: z.object(deliveryId) },
    responses: deliveryAnswer,
  }),
  resend: operatorRoute({
    operationId: 'resendInstanceDelivery',
    refuses: ['CONFLICT'],
    method: 'post',
    path: '/deliveries/{delivery}/resend',
    tags,
    summary: "Send a delivery of the operator's again",
    request: { params: z.object(deliveryId) },
    responses: queuedAnswer,
  }),
} as const;
