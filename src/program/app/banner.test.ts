import { expect, test } from 'vitest';
import { banner, commandHere, type BannerFacts, setUpUrlOf } from './banner.ts';

const FACTS: BannerFacts = {
  url: 'http://127.0.0.1:8080',
  command: 'bin/faregate',
  firstKey: { key: 'fg_live_x', workspace: 'Default', credit: 5_000_000_000n },
  setUpUrl: null,
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
  expect(text).toContain('none yet: add some to the config file, then run "bin/faregate catalogue apply"');
});

test('a first boot leads from the first request to its receipt', () => {
  const models = [{ id: 'small-chat', kind: 'chat' }] as const;
  expect(banner({ ...FACTS, models, command: 'bin/faregate --data x' })).toMatch(
    /\n {2}bin\/faregate --data x receipt --last\n$/,
  );
});

test('a boot prints the link of the set-up until the instance has been set up', () => {
  const setUpUrl = setUpUrlOf('https://gateway.example', 'a-secret');
  expect(banner({ ...FACTS, setUpUrl })).toContain('\n  https://gateway.example/set-up#a-secret\n');
  expect(setUpUrlOf('https://gateway.example', null)).toBeNull();
  expect(banner(FACTS)).not.toContain('set-up');
});

test('a provider whose key is set is named with the command that sells its models', () => {
  const unusedKeys = [{ variable: 'GROQ_API_KEY', name: 'groq' }];
  expect(banner({ ...FACTS, unusedKeys })).toContain('GROQ_API_KEY is set.');
  expect(banner({ ...FACTS, unusedKeys })).toContain('\n  bin/faregate init --provider groq\n');
});

test('a later boot prints no key, and how to make one', () => {
  expect(banner({ ...FACTS, firstKey: null, models: [{ id: 'small-chat', kind: 'chat' }] })).toBe(
    [
      'Faregate is ready at http://127.0.0.1:8080',
      '',
      '  API      http://127.0.0.1:8080/v1',
      '  Console  http://127.0.0.1:8080/',
      '  Models   small-chat',
      '',
      'A key is shown once, when it is created. To create another one:',
      '',
      '  bin/faregate key create WORKSPACE/PROJECT',
      '',
    ].join('\n'),
  );
});

test.each([
  ['/opt/faregate/data', 'bin/faregate'],
  ['/opt/faregate/other', 'bin/faregate --data other'],
  ['/var/lib/gate', 'bin/faregate --data /var/lib/gate'],
  ["/opt/faregate/it's data", String.raw`bin/faregate --data 'it'\''s data'`],
])('commands for the data directory %s are %s', (data, command) => {
  expect(commandHere('bin/faregate', data, '/opt/faregate')).toBe(command);
});
