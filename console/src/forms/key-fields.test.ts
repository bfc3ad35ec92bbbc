import { expect, test } from 'vitest';
import type { KeyJson } from '../../../src/admin/accounts/account-contract.ts';
import { keyEntryOf, keySettingsOf } from './key-fields.tsx';

test('what the form shows of a key is what it sends when nothing is changed, also notes with "=" in their values', () => {
  const settings = {
    name: 'search',
    spend_limit_usd: '12.50',
    models: ['a/one', 'b/*'],
    expires_at: '2099-01-02T00:00:00.000Z',
    metadata: { team: 'search', query: 'a=b==' },
  };
  expect(keySettingsOf(keyEntryOf(settings as unknown as KeyJson))).toEqual(settings);
});
