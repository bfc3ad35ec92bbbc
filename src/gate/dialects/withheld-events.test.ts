import { expect, test } from 'vitest';
import { NO_TOKENS } from '../../domain/usage.ts';
import { CHAT_USAGE, MESSAGES_USAGE } from './usage-cost.ts';
import { WithheldEvents } from './withheld-events.ts';

const SETTLED = { charge: 5_000n, tokens: { ...NO_TOKENS, input: 4, output: 2 }, inUsage: false };
const IN_USAGE = { ...SETTLED, inUsage: true };
const COMMENT = ': faregate-charge 0.000005\n';

test.each([
  [['data: a\n\n'], '', `${COMMENT}data: a\n\n`],
  [['data: a\n\n', 'data: b\n\n'], '', `data: a\n\n${COMMENT}data: b\n\n`],
  [['data: a\n\n'], 'event: e\ndata: b\n\n', `data: a\n\n${COMMENT}event: e\ndata: b\n\n`],
  [[], 'data: [DONE]\n\n', `${COMMENT}data: [DONE]\n\n`],
  [[], 'd\n\ndata: b\n\n', `d\n\n${COMMENT}data: b\n\n`],
])('the charge is a line of the last event that was withheld: %j and %j', (texts, rest, expected) => {
  const events = new WithheldEvents(CHAT_USAGE);
  for (const text of texts) events.add(text);
  expect(events.end(SETTLED, rest)).toBe(expected);
});

test('a withheld event is replaced where it was added last, and nothing else of them', () => {
  const events = new WithheldEvents(CHAT_USAGE);
  for (const text of ['data: a\n\n', 'data: b\n\n', 'data: a\n\n', 'data: c\n\n']) events.add(text);
  events.replace('data: a\n\n', 'data: new\n\n');
  events.replace('data: never\n\n', 'data: lost\n\n');
  expect(events.end(SETTLED)).toBe(`data: a\n\ndata: b\n\ndata: new\n\n${COMMENT}data: c\n\n`);
  const first = new WithheldEvents(CHAT_USAGE);
  first.add('data: a\n\n');
  first.replace('data: a\n\n', 'data: b\n\n');
  expect(first.end(SETTLED)).toBe(`${COMMENT}data: b\n\n`);
});

test('a charge that its caller wants in the usage is there too, under the names of the events', () => {
  const letter = Buffer.from('é').toString('latin1');
  const events = new WithheldEvents(MESSAGES_USAGE);
  events.add(`event: message_delta\ndata: {"delta":{"${letter}":"1"},\ndata: "usage":{"output_tokens":2}}\n\n`);
  expect(events.end(IN_USAGE, 'event: message_stop\ndata: {}\n\n')).toBe(
    `event: message_delta\ndata: {"delta":{"${letter}":"1"},\ndata: "usage":{"output_tokens":2,"cost":"0.000005"}}\n\n` +
      `${COMMENT}event: message_stop\ndata: {}\n\n`,
  );
});

test('a charge is in the usage of a chunk, whose events have no names', () => {
  const events = new WithheldEvents(CHAT_USAGE);
  events.add('data: {"choices":[],"usage":{}}\n\n');
  expect(events.end(IN_USAGE, 'data: [DONE]\n\n')).toBe(
    `data: {"choices":[],"usage":{"cost":"0.000005"}}\n\n${COMMENT}data: [DONE]\n\n`,
  );
});
