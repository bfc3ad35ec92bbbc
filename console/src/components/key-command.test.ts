import { expect, test } from 'vitest';
import { commandText } from './command-line.tsx';
import { keyCommand } from './key-command.ts';

test('the command of a new key sets what was given, and quotes what a shell would take apart', () => {
  const settings = { name: 'my key', spend_limit_usd: '5.00', models: ['a', 'b/*'], expires_at: null, metadata: {} };
  expect(commandText(keyCommand.create('p1', settings))).toBe(
    "faregate key create p1 --name 'my key' --spend-limit 5.00 --models 'a,b/*'",
  );
});

test('the command of a change clears by "none" what was emptied, and leaves out what stays', () => {
  expect(keyCommand.update('k1', { spend_limit_usd: null, expires_at: null, metadata: {} }).join(' ')).toBe(
    'key update k1 --spend-limit none --expires none --metadata none',
  );
  expect(keyCommand.update('k1', { metadata: { team: 'search', owner: 'a=b' } }).join(' ')).toBe(
    'key update k1 --metadata team=search owner=a=b',
  );
});
