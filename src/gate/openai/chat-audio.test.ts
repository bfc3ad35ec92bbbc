import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AudioFormat, estimateAudioTokens } from './chat-audio.ts';
import { readChatRequest } from './chat-request.ts';

const FORMATS: readonly AudioFormat[] = ['wav', 'aac', 'mp3', 'flac', 'opus', 'pcm16'];
const AUDIO = { voice: 'alloy', format: 'wav' };

function read(fields: object) {
  const body = { model: 'm', messages: [{ role: 'user', content: 'hi' }], ...fields };
  return readChatRequest(Buffer.from(JSON.stringify(body)));
}

test.each(FORMATS)('an answer in audio is read as what it is asked for: %s', (format) => {
  for (const modalities of [['text', 'audio'], ['audio', 'text'], ['audio']]) {
    expect(read({ audio: { voice: 'alloy', format }, modalities })).toMatchObject({
      ok: true,
      request: { extras: ['audio'], audioFormat: format },
    });
  }
});

test.each([{}, { modalities: null, audio: null }, { modalities: ['text'] }, { modalities: [], audio: null }])(
  'an answer in audio is none where nothing asks for it: %j',
  (fields) => {
    expect(read(fields)).toMatchObject({ ok: true, request: { extras: [], audioFormat: null } });
  },
);

const SCHEMA = { type: 'json_schema', json_schema: { name: 'a', schema: { type: 'object' } } };

test.each<[string, object, string, string]>([
  ['without a format', { audio: undefined }, 'audio', 'voice and a format'],
  ['that is null', { audio: null }, 'audio', 'voice and a format'],
  ['of another kind', { audio: 'alloy' }, 'audio', 'object'],
  ['beside text alone', { modalities: ['text'] }, 'audio', 'modalities'],
  ['beside no modalities', { modalities: undefined }, 'audio', 'modalities'],
  ['in a format that nobody knows', { audio: { ...AUDIO, format: 'midi' } }, 'audio.format', 'pcm16'],
  ['in no format', { audio: { voice: 'alloy' } }, 'audio.format', 'pcm16'],
  ['in no voice', { audio: { format: 'wav' } }, 'audio.voice', 'alloy'],
  ['in a voice of the operator’s own', { audio: { ...AUDIO, voice: { id: 'voice_1' } } }, 'audio.voice', 'share'],
  ['in a voice of another kind', { audio: { ...AUDIO, voice: 7 } }, 'audio.voice', 'alloy'],
  ['with more than that', { audio: { ...AUDIO, Voice: 'x' } }, 'audio', "'voice' and 'format'"],
  ['held to a schema', { response_format: SCHEMA }, 'response_format', 'schema'],
])('a request for audio %s is refused by the field at fault', (_what, fields, param, says) => {
  const result = read({ modalities: ['text', 'audio'], audio: AUDIO, ...fields });
  expect(result).toMatchObject({ ok: false, fault: { param } });
  expect(!result.ok && result.fault.message).toContain(says);
});

test('a request for audio that names its voice or its format twice is refused', () => {
  for (const name of ['voice', 'format']) {
    const audio = JSON.stringify(AUDIO).replace('}', `,"${name}":"opus"}`);
    const text = `{"model":"m","messages":[{"role":"user","content":"hi"}],"modalities":["audio"],"audio":${audio}}`;
    expect(readChatRequest(Buffer.from(text))).toMatchObject({ ok: false, fault: { param: `audio.${name}` } });
  }
});

test('audio that nobody has counted is never taken for less than a token for 50 ms, in any format', () => {
  // Bytes a second of speech in each format, from the least that packs it to the most that is usual.
  const rates: Readonly<Record<AudioFormat, readonly [number, number]>> = {
    pcm16: [48_000, 48_000],
    wav: [48_000, 48_000],
    flac: [12_000, 48_000],
    mp3: [4_000, 40_000],
    aac: [4_000, 40_000],
    opus: [2_000, 64_000],
  };
  fc.assert(
    fc.property(
      fc.constantFrom(...FORMATS),
      fc.nat(600_000),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (...drawn) => {
        const [format, ms, share] = drawn;
        const [least, most] = rates[format];
        const bytes = Math.ceil((ms * (least + share * (most - least))) / 1_000);
        expect(estimateAudioTokens(format, Math.ceil(bytes / 3) * 4)).toBeGreaterThanOrEqual(Math.floor(ms / 50));
      },
    ),
  );
  // A minute as OpenAI counts it, and the token that has only begun.
  expect(estimateAudioTokens('pcm16', 60 * 64_000)).toBe(1_200);
  expect(estimateAudioTokens('pcm16', 60 * 64_000 + 1)).toBe(1_201);
});
