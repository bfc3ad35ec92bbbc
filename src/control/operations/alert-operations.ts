import type { Operation } from './operation.ts';

export const ALERT_OPERATIONS = {
  listAlertRules: {
    route: 'GET /workspaces/{workspace}/alert-rules',
    access: 'alerts:read',
    tag: 'Alerts',
    summary: 'List the alert rules of a workspace',
  },
  createAlertRule: {
    route: 'POST /workspaces/{workspace}/alert-rules',
    access: 'alerts:write',
    tag: 'Alerts',
    summary: 'Create an alert rule',
    refuses: ['CONFLICT'],
  },
  updateAlertRule: {
    route: 'PATCH /workspaces/{workspace}/alert-rules/{rule}',
    access: 'alerts:write',
    tag: 'Alerts',
    summary: 'Change an alert rule',
    isVersioned: true,
  },
  deleteAlertRule: {
    route: 'DELETE /workspaces/{workspace}/alert-rules/{rule}',
    access: 'alerts:write',
    tag: 'Alerts',
    summary: 'Delete an alert rule; its alerts stay in the history',
    isVersioned: true,
  },
  listAlerts: {
    route: 'GET /workspaces/{workspace}/alerts',
    access: 'alerts:read',
    tag: 'Alerts',
    summary: 'List the alerts of a workspace',
  },
  listInstanceAlertRules: {
    route: 'GET /alert-rules',
    access: 'operator:read',
    tag: 'Alerts',
    summary: "List the operator's alert rules",
  },
  updateInstanceAlertRule: {
    route: 'PATCH /alert-rules/{rule}',
    access: 'operator:write',
    tag: 'Alerts',
    summary: "Change one of the operator's alert rules",
    isVersioned: true,
  },
  listInstanceAlerts: {
    route: 'GET /alerts',
    access: 'operator:read',
    tag: 'Alerts',
    summary: "List the operator's alerts",
  },
} as const satisfies Readonly<Record<string, Operation>>;
