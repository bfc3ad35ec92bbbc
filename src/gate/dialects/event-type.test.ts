import { expect, test } from 'vitest';
import { eventType } from './event-type.ts';
import { namedEvent, writtenEvent } from './named-event.ts';
import { finishReasonOf } from './messages/finish-reason.ts';

test.each([
  ['{"type":"ping"}', 'ping'],
  [' {"type":"ping"}', 'ping'],
  ['{ "type" : "response.output_text.delta" , "a": 1}', 'response.output_text.delta'],
  ['{"a":{"type":"no"},"type":"ping"}', 'ping'],
  ['{"type":5,"type":"ping"}', 'ping'],
  ['{"type":"a b"}', ''],
  ['{"a":1,"type":"a b"}', ''],
  ['{"a":1,"type":"ab\\n"}', ''],
  [`{"type":"${'x'.repeat(64)}"}`, 'x'.repeat(64)],
  [`{"a":1,"type":"${'x'.repeat(64)}"}`, 'x'.repeat(64)],
  [`{"type":"${'x'.repeat(65)}"}`, ''],
  ['{"a":"type"}', ''],
  ['{}', ''],
  ['[{"type":"ping"}]', ''],
  ['"type"', ''],
  ['', ''],
])('the type of the event %s is %j', (payload, type) => {
  expect(eventType(Buffer.from(payload))).toBe(type);
});

test('an event is framed by its type, if it has one', () => {
  expect(namedEvent('ping', Buffer.from('{}'))).toBe('event: ping\ndata: {}\n\n');
  expect(namedEvent('', Buffer.from('{}'))).toBe('data: {}\n\n');
  expect(writtenEvent({ type: 'ping', a: 1 })).toBe('event: ping\ndata: {"type":"ping","a":1}\n\n');
});

test.each([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['pause_turn', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool_calls'],
  ['refusal', 'content_filter'],
  ['of_2030', 'stop'],
  ['toString', 'stop'],
])('a message that stops for %s ends by %s in chat', (reason, expected) => {
  expect(finishReasonOf(reason)).toBe(expected);
});
