import { expect, test } from 'vitest';
import type { AlertKind } from '../../domain/alert-kinds.ts';
import { escapeHtml, mailTextOf, roundUsd, writeUsd } from './alert-text.ts';

test.each([
  [5_000_000_000_000n, '5,000.00 USD'],
  [-1_234_567_891_234_567n, '-1,234,567.891234567 USD'],
  [999_990_000_000n, '999.99 USD'],
  [4_208_000n, '0.004208 USD'],
])('an alert writes %d nano-USD as %s', (amount, text) => {
  expect(writeUsd(amount)).toBe(text);
});

test('an alert rounds what has more digits than cents towards zero, but never to nothing', () => {
  expect(roundUsd(1_234_567_899_999_999n)).toBe('1,234,567.89 USD');
  expect(roundUsd(-1_000_009_000_000n)).toBe('-1,000.00 USD');
  expect(roundUsd(9_999_999n)).toBe('0.009999999 USD');
  expect(roundUsd(-9_999_999n)).toBe('-0.009999999 USD');
  expect(roundUsd(10_000_000n)).toBe('0.01 USD');
  expect(roundUsd(19_999_999n)).toBe('0.01 USD');
  expect(roundUsd(0n)).toBe('0.00 USD');
});

const announcement = {
  kind: 'balance_below',
  ruleName: 'low <b>',
  workspaceName: 'Ours & "theirs"',
  summaries: ["It's low."],
  url: null,
} as const;

test('the mail about one alert says what has happened, what to do, and which rule of which workspace it is', () => {
  expect(mailTextOf(announcement)).toEqual({
    subject: "[Faregate] It's low.",
    text: `It's low.

Requests are refused once the balance does not cover them. Top the workspace up.

--${' '}
This mail was sent because of the alert rule "low <b>" of the workspace "Ours & "theirs"".
`,
    html:
      '<!doctype html><html><body><p>It&#39;s low.</p>' +
      '<p>Requests are refused once the balance does not cover them. Top the workspace up.</p><hr>' +
      '<p>This mail was sent because of the alert rule &quot;low &lt;b&gt;&quot; of the workspace &quot;Ours &amp; &quot;theirs&quot;&quot;.</p></body></html>',
  });
  expect(mailTextOf({ ...announcement, workspaceName: null }).text).toContain('rule "low <b>" of the operator.');
});

test('the mail about an alert with a page links to it', () => {
  const { text, html } = mailTextOf({ ...announcement, url: 'https://pay.example/?a=1&b="' });
  expect(text).toContain('\n\nhttps://pay.example/?a=1&b="\n\nRequests');
  expect(html).toContain(
    '</p><p><a href="https://pay.example/?a=1&amp;b=&quot;">https://pay.example/?a=1&amp;b=&quot;</a></p><p>Requests',
  );
});

test('the mail about many alerts counts them, and lists twenty', () => {
  const summaries = (count: number) => Array.from({ length: count }, (_, index) => `Alert ${index}.`);
  const twenty = mailTextOf({ ...announcement, summaries: summaries(20) });
  expect(twenty.subject).toBe('[Faregate] 20 alerts: low <b>');
  expect(twenty.text).toContain('Alert 18.\n\nAlert 19.\n\nRequests');
  const more = mailTextOf({ ...announcement, summaries: summaries(22) });
  expect(more.subject).toBe('[Faregate] 22 alerts: low <b>');
  expect(more.text).toContain('Alert 19.\n\nAnd 2 more.\n\nRequests');
  expect(more.html).toContain('<p>Alert 19.</p><p>And 2 more.</p>');
});

test.each<[AlertKind, string]>([
  ['balance_below', 'Top the workspace up.'],
  ['balance_share', 'Top the workspace up.'],
  ['runway', 'Top the workspace up.'],
  ['project_budget', "Raise the project's budget, or wait for its next window."],
  ['key_limit', "Raise the key's limit, or wait for the next month."],
  ['auto_top_up_stopped', 'See its payment settings.'],
  ['payment_after_closing', 'It is refunded by itself if its provider is still configured'],
  ['provider_key_refused', 'Its routes are skipped until its key is corrected in the config file.'],
  ['ledger_difference', 'Take a backup before anything is changed, and run "faregate ledger verify".'],
])('the mail about %s says: %s', (kind, remedy) => {
  expect(mailTextOf({ ...announcement, kind }).text).toContain(remedy);
});

test('all characters that mean something in HTML are escaped', () => {
  expect(escapeHtml(`a<b>&"c'd`)).toBe('a&lt;b&gt;&amp;&quot;c&#39;d');
});
