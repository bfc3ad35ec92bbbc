import { expect, test } from 'vitest';
import { isMailAddress } from './mail-address.ts';

const LOCAL_PART = 'a'.repeat(64);

test.each(['a@b', 'ada.lovelace+ci@example.com', 'jörg@bücher.example', `${LOCAL_PART}@${'b'.repeat(189)}`])(
  'a text is a mail address: %s',
  (text) => {
    expect(isMailAddress(text)).toBe(true);
  },
);

test.each([
  ['nothing', ''],
  ['no domain', 'ada@'],
  ['no local part', '@example.com'],
  ['no @', 'ada'],
  ['two @', 'ada@b@example.com'],
  ['a local part of 65 characters', `a${LOCAL_PART}@example.com`],
  ['255 characters', `${LOCAL_PART}@${'b'.repeat(190)}`],
  ['a name', 'Ada <ada@example.com>'],
  ['a second address', 'ada@example.com,eve@example.com'],
  ['a second line', 'ada@example.com\r\nBcc: eve@example.com'],
  ['half of a character', 'ada@example.com\ud800'],
  ['space before it', ' ada@example.com'],
  ['space behind it', 'ada@example.com '],
])('a text with %s is no mail address', (_what, text) => {
  expect(isMailAddress(text)).toBe(false);
});

test.each(Array.from(' \t@<>"(),:;\\[]\u0000\u007f'))(
  'the character %j stands in neither part of a mail address',
  (character) => {
    expect(isMailAddress(`a${character}a@example.com`)).toBe(false);
    expect(isMailAddress(`ada@example${character}.com`)).toBe(false);
  },
);
