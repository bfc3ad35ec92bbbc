import { expect, test } from 'vitest';
import { RecordingSink } from '../../../test/support/recording-sink.ts';
import { APART_BYTES, startTranslated } from './translated-attempt.ts';
import { translate, type Translation } from './translation.ts';
import type { RunningAttempt } from './upstream.ts';

const call = { model: 'm', maxTokens: 5, stream: false, version: '2023-06-01' };

function toAnthropic(content: string, more = ''): Translation {
  const messages = JSON.stringify([{ role: 'user', content }]);
  return { to: 'anthropic', body: Buffer.from(`{"model":"m","messages":${messages}${more}}`), call };
}

function toGemini(content: string): Translation {
  const { body } = toAnthropic(content);
  return { to: 'gemini', body, maxTokens: null, choices: 2, upstreamModel: 'gemini-2.5-flash', cap: 7 };
}

function embedded(input: string): Translation {
  const body = Buffer.from(JSON.stringify({ model: 'm', input }));
  return { to: 'gemini_embeddings', body, resource: 'models/m' };
}

/** A text that makes a request large; each character has three bytes. */
const LARGE = '汉'.repeat(APART_BYTES / 2);

/** Starts the attempt; `sent` holds what is sent. */
function start(translation: Translation) {
  const sink = new RecordingSink();
  const aborted: Buffer[] = [];
  const { promise: sent, resolve } = Promise.withResolvers<Buffer>();
  const running: RunningAttempt = startTranslated(translation, sink, (body) => {
    resolve(body);
    return { pause() {}, resume() {}, abort: () => void aborted.push(body) };
  });
  return { sink, sent, running, aborted };
}

test.each([
  ['anthropic', toAnthropic],
  ['gemini', toGemini],
  ['gemini_embeddings', embedded],
])(
  'a large request to %s is sent in the same words as a small one, and keeps its own bytes for another route',
  async (_to, make) => {
    const translation = make(LARGE);
    const before = Buffer.from(translation.body);
    const made = await start(translation).sent;
    expect(translation.body.equals(before)).toBe(true);
    const inOnePiece = translate(translation);
    expect(inOnePiece.ok && inOnePiece.made.equals(made)).toBe(true);
  },
);

test('a large request is sent in its own words, however many are translated together', async () => {
  const bodies = await Promise.all(['a', 'b', 'c'].map((mark) => start(toAnthropic(mark + LARGE)).sent));
  const texts = bodies.map((body) => {
    const { messages } = JSON.parse(body.toString()) as { messages: { content: { text: string }[] }[] };
    return messages[0]?.content[0]?.text[0];
  });
  expect(texts).toEqual(['a', 'b', 'c']);
});

test('a large request may become a small one', async () => {
  const spaced = Buffer.concat([toAnthropic('hi').body, Buffer.alloc(APART_BYTES, ' ')]);
  const sent = await start({ to: 'anthropic', body: spaced, call }).sent;
  expect(JSON.parse(sent.toString())).toMatchObject({ messages: [{ content: [{ text: 'hi' }] }] });
});

test('a large request that the API has no words for is refused by its field, like a small one', async () => {
  const endings = await Promise.all(
    ['hi', LARGE].map((content) => start(toAnthropic(content, ',"logit_bias":{"1":2}')).sink.ended()),
  );
  expect(endings[0]).toMatchObject({ fault: { kind: 'rejected_request', status: 400, param: 'logit_bias' } });
  expect(endings[1]).toEqual(endings[0]);
});

test('a large request is never sent once it is aborted, before or while it is translated, and nothing is heard of it', async () => {
  const before = start(toAnthropic(LARGE));
  before.running.abort();
  const during: ReturnType<typeof start> = start({
    to: 'anthropic',
    body: toAnthropic(LARGE).body,
    // Read when the thread is given the request.
    get call() {
      during.running.abort();
      return call;
    },
  });
  await start(toAnthropic(LARGE)).sent;
  expect(await Promise.race([before.sent, during.sent, Promise.resolve('not sent')])).toBe('not sent');
  expect([...before.sink.endings, ...during.sink.endings]).toEqual([]);
});

test('a large request that has been sent is aborted where it runs', async () => {
  const { sent, running, aborted } = start(toAnthropic(LARGE));
  const body = await sent;
  running.abort();
  expect(aborted).toEqual([body]);
});

test('a large request whose translation fails by itself is not sent, and the next one is translated', async () => {
  const { sink } = start({ ...toGemini(''), body: Buffer.alloc(APART_BYTES + 1, '[') });
  const next = start(toAnthropic(LARGE));
  expect(await sink.ended()).toMatchObject({ fault: { kind: 'failed', status: 500 } });
  expect((await next.sent).length).toBeGreaterThan(APART_BYTES);
});
