import { expect, test } from 'vitest';
import { ALERT_RULE_COMMANDS } from '../../../src/control/operations/alert-commands.ts';
import { CODE_COMMANDS } from '../../../src/control/operations/payment-commands.ts';
import { KEY_COMMANDS } from '../../../src/control/operations/key-commands.ts';
import { WEBHOOK_COMMANDS } from '../../../src/control/operations/webhook-commands.ts';
import { commandText } from './command-line.tsx';
import { commandWords } from './command-words.ts';

test('the command of a new key sets what was given, and quotes what a shell would take apart', () => {
  const settings = { name: 'my key', spend_limit_usd: '5.00', models: ['a', 'b/*'], expires_at: null, metadata: {} };
  expect(commandText(commandWords(KEY_COMMANDS, 'key create', { project: 'p1', ...settings }))).toBe(
    "faregate key create p1 --name 'my key' --spend-limit 5.00 --models 'a,b/*'",
  );
});

test('the command of a change clears by "none" what was emptied, and leaves out what stays', () => {
  const cleared = { key: 'k1', spend_limit_usd: null, expires_at: null, metadata: {} };
  expect(commandWords(KEY_COMMANDS, 'key update', cleared).join(' ')).toBe(
    'key update k1 --spend-limit none --expires none --metadata none',
  );
  const noted = { key: 'k1', metadata: { team: 'search', owner: 'a=b' } };
  expect(commandWords(KEY_COMMANDS, 'key update', noted).join(' ')).toBe(
    'key update k1 --metadata team=search owner=a=b',
  );
  const unmailed = { workspace: null, rule: 'r1', mail_roles: [], enabled: false };
  expect(commandWords(ALERT_RULE_COMMANDS, 'alert-rule update', unmailed).join(' ')).toBe(
    'alert-rule update r1 --mail-role none --disable',
  );
  const moved = { workspace: 'w1', webhook: 'h1', url: 'https://a.example/', description: '' };
  expect(commandText(commandWords(WEBHOOK_COMMANDS, 'webhook update', moved))).toBe(
    "faregate webhook update h1 --workspace w1 --to https://a.example/ --description ''",
  );
});

test('the command of something new names what is missing, and says nothing of what stays empty', () => {
  const order = { count: 5, amount_usd: '', expires_at: '', reason: '', sold: true };
  expect(commandWords(CODE_COMMANDS, 'code create', order).join(' ')).toBe(
    'code create --count 5 --amount USD --expires DATE --sold',
  );
  expect(commandWords(CODE_COMMANDS, 'code redeem', { workspace: 'w1' }).join(' ')).toBe('code redeem w1 CODE');
});
