import { expect, test } from 'vitest';
import { REDACTIONS, type Redaction } from '../../domain/sinks.ts';
import { redacted } from './redacted-content.ts';

const redactedText = (text: string, ...redact: readonly Redaction[]): unknown =>
  (redacted({ content: text }, new Set(redact)) as { content: unknown }).content;

test.each<[Redaction, string, string]>([
  ['mail_addresses', 'ask ada.l+x@mail.example.com, or jürgen@exämple.de!', 'ask [mail address], or [mail address]!'],
  ['mail_addresses', 'a @ b and user@host stay', 'a @ b and user@host stay'],
  ['card_numbers', 'pay 4111 1111-1111 1111 or 378282246310005', 'pay [card number] or [card number]'],
  ['card_numbers', 'order 4111111111111112 stays', 'order 4111111111111112 stays'],
  [
    'phone_numbers',
    'call +49 (30) 901820, 030/901820 or 415-555-0132',
    'call [phone number], [phone number] or [phone number]',
  ],
  ['phone_numbers', 'in 2026-11-28, 1234567 of 99999999', 'in 2026-11-28, 1234567 of 99999999'],
  ['keys', `use fg_live_${'a'.repeat(53)} or sk-proj-${'b'.repeat(40)}.`, 'use [key] or [key].'],
  ['keys', `-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY----- x`, '[key] x'],
  ['keys', 'sk-short and ghost stay', 'sk-short and ghost stay'],
])('with %s redacted, the text "%s" becomes "%s"', (redaction, text, left) => {
  expect(redactedText(text, redaction)).toBe(left);
  expect(redactedText(text)).toBe(text);
});

test('without texts, nothing of what people and models have written is left, nor of what they have named', () => {
  const body = {
    model: 'small-chat',
    messages: [
      { role: 'system', content: 'secret-1' },
      { role: 'user', name: 'secret-2', content: [{ type: 'text', text: 'secret-3' }] },
      {
        role: 'assistant',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'secret-4', arguments: '{"secret-5":1}' } }],
      },
      { role: 'user', content: [{ type: 'tool_use', id: 't1', input: { 'secret-6': 'secret-7', type: 'secret-8' } }] },
    ],
    tools: [{ type: 'function', function: { name: 'secret-9', parameters: { properties: { 'secret-10': {} } } } }],
    input: [{ role: 'user', content: 'secret-13' }],
    metadata: { model: 'secret-11' },
    stop: ['secret-12'],
    temperature: 0.5,
  };
  const left = redacted(body, new Set<Redaction>(['texts']));
  expect(JSON.stringify(left)).not.toContain('secret');
  expect(left).toMatchObject({
    model: 'small-chat',
    temperature: 0.5,
    input: [{ role: 'user', content: '[9 characters]' }],
    messages: [{ role: 'system', content: '[8 characters]' }, { content: [{ type: 'text' }] }, {}, {}],
  });
});

test('images, audio and files are always replaced by size and digest', () => {
  const data = Buffer.from('x'.repeat(3_000)).toString('base64');
  const summary = /^\[(image\/png|base64|data), 3000 bytes, sha256 [0-9a-f]{64}\]$/;
  const left = redacted(
    {
      content: [
        { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } },
        { type: 'input_audio', input_audio: { data, format: 'wav' } },
        { type: 'document', source: { data } },
      ],
      b64_json: data,
    },
    new Set(),
  );
  const found = JSON.stringify(left).match(/\[(?:image|base64|data)[^\]]*\]/g);
  expect(found).toHaveLength(4);
  for (const each of found ?? []) expect(each).toMatch(summary);
});

test('numbers and names of fields are redacted as texts are', () => {
  const left = redacted({ card: 4_111_111_111_111_111, 'ada@example.com': 1 }, new Set(REDACTIONS));
  expect(left).toEqual({ card: '[card number]', '[mail address]': 1 });
});
