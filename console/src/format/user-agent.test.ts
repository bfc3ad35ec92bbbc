import { expect, test } from 'vitest';
import { formatUserAgent } from './user-agent.ts';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

test.each([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/153.0.0.0 Safari/537.36`, 'Chrome on Windows'],
  [`Mozilla/5.0 (Windows NT 10.0) ${WEBKIT} Chrome/153.0.0.0 Safari/537.36 Edg/153.0.0.0`, 'Edge on Windows'],
  [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} HeadlessChrome/153.0.0.0 Safari/537.36`, 'Chrome on Linux'],
  [`Mozilla/5.0 (Linux; Android 16) ${WEBKIT} Chrome/153.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0', 'Firefox on Linux'],
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/26.0 Safari/605.1.15`, 'Safari on macOS'],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) ${WEBKIT} Version/26.0 Mobile/15E148 Safari/604.1`,
    'Safari on iOS',
  ],
  ['curl/8.16.0', 'curl'],
  ['not-curl/8.16.0', 'not-curl/8.16.0'],
  [`a-program-with-a-name-of-more-than-40-characters/1.0`, 'a-program-with-a-name-of-more-than-40-ch'],
  ['a-program/1.0 (Windows)', 'a browser on Windows'],
  [`Mozilla/5.0 (X11; CrOS x86_64) ${WEBKIT} Chrome/153.0.0.0 Safari/537.36 OPR/120.0`, 'Opera on ChromeOS'],
  ['', 'an unknown browser'],
  ['node', 'node'],
  [null, 'an unknown browser'],
])('a session of %s is one of %s', (userAgent, words) => {
  expect(formatUserAgent(userAgent)).toBe(words);
});
