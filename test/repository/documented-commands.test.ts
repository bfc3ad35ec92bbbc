import { expect, test } from 'vitest';
import { programToRead } from '../../tools/manual/command-reference.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { FILES, type SourceFile } from './tree.ts';

// What documents tell readers to run is there.

const documents = FILES.filter(({ path }) => /^(?:README|CONTRIBUTING|docs\/[\w-]+)\.md$/.test(path));
const scripts = Object.keys(packageJson.scripts);

/** The text of code: blocks, and spans that are no part of one. */
function codeOf({ text }: SourceFile): readonly string[] {
  const blocks = [...text.matchAll(/^```[^\n]*\n([^]*?)^```/gm)].flatMap(([, code = '']) => code.split('\n'));
  const spans = [...text.replaceAll(/^```[^]*?^```/gm, '').matchAll(/`([^`]+)`/g)].map(([, code = '']) =>
    code.replaceAll('\n', ' '),
  );
  return [...blocks, ...spans];
}

/** Why a line that begins with `faregate` can't be run; null if it can, as far as its words and options say. */
function faultOf(line: string): string | null {
  let command = programToRead();
  const global = command.options.flatMap(({ long, short }) => [long, short]);
  const words = line
    .replace(/\s#.*$/, '')
    .split(/\s+/)
    .slice(1);
  while (words[0] !== undefined && command.commands.length > 0) {
    // `export|show` stands for both.
    const names = words[0].split('|');
    const found = names.map((name) => command.commands.find((each) => each.name() === name));
    const [first] = found;
    if (first === undefined || found.includes(undefined)) break;
    command = first;
    words.shift();
  }
  const isGroup = command.commands.length > 0 && command.registeredArguments.length === 0;
  if (isGroup && words[0] !== undefined && !words[0].startsWith('-')) return `${line}: there is no ${words[0]}`;
  const options = new Set([
    ...global,
    ...command.options.flatMap(({ long, short }) => [long, short]),
    '--help',
    '--version',
  ]);
  const unknown = words.filter((word) => /^--\w/.test(word)).find((word) => !options.has(word.replace(/[=|].*$/, '')));
  return unknown === undefined ? null : `${line}: there is no ${unknown}`;
}

test('every command and script that a document names exists, with its options', () => {
  const lines = documents.flatMap((file) => codeOf(file).map((line) => line.trim()));
  const commands = lines.filter((line) => /^faregate [a-z-]/.test(line));
  const named = lines.flatMap((line) =>
    [...line.matchAll(/\bnpm run (?:--silent )?([\w:]+)/g)].map(([, script = '']) => script),
  );
  expect(commands.length).toBeGreaterThan(60);
  expect(commands.map(faultOf).filter((fault) => fault !== null)).toEqual([]);
  expect(named.filter((script) => !scripts.includes(script))).toEqual([]);
});
