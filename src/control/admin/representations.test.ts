import { expect, test } from 'vitest';
import type { Key } from '../accounts/keys.ts';
import { keyJson } from './representations.ts';

const at = (day: number): Date => new Date(Date.UTC(2026, 0, day));

// Each field has a value of its own.
const KEY: Key = {
  id: 'k',
  workspaceId: 'w',
  projectId: 'p',
  kind: 'api',
  projectName: 'Bot',
  name: 'ci',
  masked: 'fg_live_k…abcd',
  spendLimit: 9_000_000_000n,
  raisedLimit: 10_000_000_000n,
  raisedUntil: at(9),
  used: 1_000_000_000n,
  held: 2_000_000_000n,
  leased: 3_000_000_000n,
  resetsAt: at(1),
  models: ['a'],
  metadata: { team: 'search' },
  allowedNetworks: ['10.0.0.0/8'],
  expiresAt: at(2),
  disabledAt: at(3),
  revokedAt: at(4),
  formerSecretUntil: at(5),
  lastUsedAt: at(6),
  createdBy: 'u',
  createdByName: 'Ada',
  invitedEmail: 'grace@example.com',
  createdAt: at(7),
  version: 8,
};

test('a key is shown with each of its times, names and amounts as what it is', () => {
  expect(keyJson(KEY)).toMatchObject({
    id: 'k',
    workspace_id: 'w',
    project_id: 'p',
    kind: 'api',
    project_name: 'Bot',
    name: 'ci',
    masked_key: 'fg_live_k…abcd',
    spend_limit_usd: '9.00',
    used_usd: '1.00',
    held_usd: '2.00',
    leased_usd: '3.00',
    resets_at: '2026-01-01T00:00:00.000Z',
    models: ['a'],
    metadata: { team: 'search' },
    expires_at: '2026-01-02T00:00:00.000Z',
    disabled_at: '2026-01-03T00:00:00.000Z',
    revoked_at: '2026-01-04T00:00:00.000Z',
    former_secret_until: '2026-01-05T00:00:00.000Z',
    last_used_at: '2026-01-06T00:00:00.000Z',
    created_by: 'u',
    created_by_name: 'Ada',
    invited_email: 'grace@example.com',
    created_at: '2026-01-07T00:00:00.000Z',
    version: 8,
  });
});

test('what a key does not have is null', () => {
  const plain = { ...KEY, spendLimit: null, models: null, expiresAt: null, disabledAt: null, revokedAt: null };
  const bare = {
    ...plain,
    formerSecretUntil: null,
    lastUsedAt: null,
    createdBy: null,
    createdByName: null,
    invitedEmail: null,
  };
  expect(keyJson(bare)).toMatchObject({
    spend_limit_usd: null,
    models: null,
    expires_at: null,
    disabled_at: null,
    revoked_at: null,
    former_secret_until: null,
    last_used_at: null,
    created_by: null,
    created_by_name: null,
    invited_email: null,
  });
});
