// How lists of keys are narrowed and sorted.

export const KEY_STATES = ['active', 'disabled', 'expired', 'revoked'] as const;

export type KeyState = (typeof KEY_STATES)[number];

export const KEY_SORTS = ['created', 'name', 'expiry', 'spend', 'last_use'] as const;

export type KeySort = (typeof KEY_SORTS)[number];
