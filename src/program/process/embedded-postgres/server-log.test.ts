import { expect, test } from 'vitest';
import { readServerLog } from './server-log.ts';

function listen() {
  const said: string[] = [];
  const at = (level: string) => (message: string) => void said.push(`${level} ${message}`);
  const log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  return { said, words: readServerLog(log) };
}

test('the server is quoted line by line, at the level that its words deserve', () => {
  const { said, words } = listen();
  words.push('LOG:  database system is ready\nWARNING:  out of');
  words.push(' disk\nPANIC:  could not write\n  where it happened\n');
  expect(said).toEqual([
    'debug postgres: database system is ready',
    'warn postgres: out of disk',
    'error postgres: could not write',
    'debug postgres: where it happened',
  ]);
  expect(words.lastComplaint()).toBe('could not write');
});
