import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const PROGRAM = `
import(${JSON.stringify(new URL('./translate-apart.ts', import.meta.url).href)}).then(async ({ translateApart }) => {
  const body = Buffer.from(JSON.stringify({ model: 'm', input: 'hi' }));
  const target = { extensions: 'none', reasoning: false };
  const translated = await translateApart({ to: 'chat', endpoint: 'responses', body, target }, () => true);
  console.log(translated.ok);
});
`;

test('a program that has translated a request in the thread ends when it has nothing else to do', async () => {
  const args = ['--disable-warning=ExperimentalWarning', '--eval', PROGRAM];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 45_000 });
  expect(stdout).toBe('true\n');
});
