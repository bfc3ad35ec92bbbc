import { expect, test } from 'vitest';
import { CHAT_DIALECT } from '../dialects/chat/chat-dialect.ts';
import { quotedContentOf } from './quoted-content.ts';
import { textOf } from './text-of.ts';

function contentOf(part: object, fields: object = {}) {
  const body = { model: 'm', messages: [{ role: 'user', content: [part] }], ...fields };
  const reading = CHAT_DIALECT.read(Buffer.from(JSON.stringify(body)), {});
  if (!reading.ok) throw new Error(reading.fault.message);
  return quotedContentOf(textOf(reading.request), reading.request.audio);
}

const TEXT = { type: 'text', text: 'hi' };
const url = (text: string) => ({ url: text });

test.each<[string, object, boolean]>([
  ['text', TEXT, true],
  ['an image', { type: 'image_url', image_url: url('https://example.com/a.png') }, true],
  ['audio', { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } }, false],
  ['audio in the place of an image', { type: 'image_url', image_url: url('data:audio/wav;base64,UklGRg==') }, false],
  ['a video', { type: 'video_url', video_url: url('https://example.com/a.mp4') }, false],
  ['a file', { type: 'file', file: { file_data: 'data:application/pdf;base64,JVBERi0=' } }, false],
  ['a part of an unknown type', { type: 'podcast', podcast: 'a' }, false],
])('input is quoted without the rate of audio only if nothing in it may be audio: %s', (_what, part, isInputSilent) => {
  expect(contentOf(part)).toMatchObject({ isInputSilent, isOutputSilent: true });
});

test('output is quoted with the rate of audio if audio is asked for', () => {
  const asks = { modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' } };
  expect(contentOf(TEXT, asks)).toMatchObject({ isInputSilent: true, isOutputSilent: false });
});
