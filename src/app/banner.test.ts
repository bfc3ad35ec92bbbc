import { expect, test } from 'vitest';
import { banner, type BannerFacts } from './banner.ts';

const FACTS: BannerFacts = {
  url: 'http://127.0.0.1:8080',
  firstKey: { key: 'fg_live_x', workspace: 'Default', credit: 5_000_000_000n },
  models: [],
  servers: [],
  unusedKeys: [],
};

test('the first request asks for a model that is on sale and chats', () => {
  const models = [
    { id: 'embed', kind: 'embedding' },
    { id: 'small-chat', kind: 'chat' },
    { id: 'large-chat', kind: 'chat' },
  ] as const;
  const text = banner({ ...FACTS, models });
  expect(text).toContain('Models   embed, small-chat, large-chat\n');
  expect(text).toMatch(/^ {2}curl .* -d '\{"model":"small-chat",.*\}'$/m);
});

test('where nothing can be asked for, the key is printed without a request, and how to get there', () => {
  expect(banner({ ...FACTS, models: [{ id: 'embed', kind: 'embedding' }] })).not.toContain('curl');
  const text = banner(FACTS);
  expect(text).toContain('fg_live_x');
  expect(text).not.toContain('curl');
  expect(text).toContain('none yet: name some in the config file; "faregate catalogue apply" puts them on sale');
});

test('no boot but the first prints a key', () => {
  expect(banner({ ...FACTS, firstKey: null })).not.toMatch(/key|curl/);
});
