import { expect, test } from 'vitest';
import { requestIdIn } from './request-id.ts';

const ID = '019a8f3e-5b1c-7c11-8d5e-0f6a2b3c4d5e';

test.each([ID, ID.toUpperCase(), `  ${ID}\n`, `x-request-id: ${ID}`, `{"request_id":"${ID}"}`])(
  'the request id in %j is found',
  (text) => {
    expect(requestIdIn(text)).toBe(ID);
  },
);

test.each(['', 'web', ID.slice(1), '019a8f3e5b1c7c118d5e0f6a2b3c4d5e'])('no request id is found in %j', (text) => {
  expect(requestIdIn(text)).toBeNull();
});
