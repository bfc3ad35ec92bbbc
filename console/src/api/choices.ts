import type { ModelJson } from '../../../src/control/admin/catalogue/model-contract.ts';

// What addresses of pages may say, apart from the queries of these pages, which are loaded with them.

/** Statuses that refusals of all workspaces are chosen by. */
export const REFUSAL_STATUSES = ['4xx', '402', '429', '5xx'] as const;

export const MARGIN_PERIODS = ['7d', '30d', '90d', 'month', 'former-month'] as const;
export type MarginPeriod = (typeof MARGIN_PERIODS)[number];

export const MODEL_KINDS = [
  'chat',
  'embedding',
  'rerank',
  'moderation',
] as const satisfies readonly ModelJson['kind'][];
export type ModelKind = (typeof MODEL_KINDS)[number];

export const MODEL_CAPABILITIES = ['reasoning', 'caching', 'audio'] as const;
export type Capability = (typeof MODEL_CAPABILITIES)[number];

export const MODEL_SORTS = ['id', 'context', 'input', 'output'] as const;
export type ModelSort = (typeof MODEL_SORTS)[number];
