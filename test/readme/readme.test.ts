import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../repository/tree.ts';
import { type Block, commandsOf, LANGUAGES, readBlocks, withoutAccidents } from './readme-blocks.ts';
import { ReadmeSession } from './readme-session.ts';

const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const WANTED = ['npm', 'curl', 'python3'];
const missing = WANTED.filter((program) => spawnSync(program, ['--version']).error !== undefined);

const PYTHON = `python3 -c 'import runpy, sys; sys.path.append("test/readme/python"); runpy.run_path("readme.py")'`;

/** What a snippet says that it prints, in the comment after its last statement. */
function promised(content: string): string {
  return /(?:\/\/|#) (.+)$/.exec(content.trimEnd())?.[1] ?? 'a comment that says what this prints';
}

async function tryBlock(session: ReadmeSession, { language, content }: Block): Promise<void> {
  switch (language) {
    case 'sh':
      for (const command of commandsOf(content)) await session.run(command);
      return;
    case 'text': {
      const printed = session.output;
      expect(withoutAccidents(printed)).toBe(withoutAccidents(content));
      // What the program prints to be copied works too.
      for (const [, command = ''] of printed.matchAll(/^ +((?:curl|npx faregate) .+)$/gm)) await session.run(command);
      return;
    }
    case 'json':
      return expect(JSON.parse(session.output)).toEqual(JSON.parse(content));
    case 'yaml':
      await session.write('faregate.yaml', content);
      for (const [, name] of content.matchAll(/\$\{(\w+)\}/g)) await session.run(`export ${name}=something`);
      return session.run('faregate config check');
    case 'ts':
      await session.write('readme.ts', content);
      await session.run('tools/with-node node readme.ts');
      return expect(session.output.trim()).toBe(promised(content));
    case 'python':
      await session.write('readme.py', content);
      await session.run(PYTHON);
      return expect(session.output.trim()).toBe(promised(content));
  }
}

describe('README.md', () => {
  let session: ReadmeSession;
  beforeAll(async () => {
    session = await ReadmeSession.open();
  });
  afterAll(() => session.close());

  test.skipIf(missing.length > 0)(
    'the README works as it is printed, command by command, and promises what comes',
    async () => {
      const blocks = readBlocks(README);
      expect(new Set(blocks.map(({ language }) => language))).toEqual(new Set(LANGUAGES));
      for (const block of blocks) {
        await tryBlock(session, block).catch((cause: unknown) => {
          const reason = cause instanceof Error ? cause.message : String(cause);
          throw new Error(`README.md, line ${block.line}: ${reason}`, { cause });
        });
      }
    },
    300_000,
  );
});

test('a document whose blocks are tried may not have a block of a kind that nobody tries', () => {
  expect(() => readBlocks('```\nls\n```')).toThrow('line 1: nothing here knows how to try a block of kind ""');
  expect(() => readBlocks('```powershell\nls\n```')).toThrow('of kind "powershell"');
  expect(() => readBlocks('One:\n\n    ls\n')).toThrow('line 3: fence code');
  expect(() => readBlocks('```sh\nls\n')).toThrow('never ends');
});

test('a document whose blocks are tried has every command tried, those within sentences too', () => {
  const blocks = readBlocks('Run `npm ci` first.\n\n```sh\n# all of it\na \\\n  b && c\nd\n```');
  expect(blocks.flatMap(({ content }) => commandsOf(content))).toEqual(['npm ci', 'a b', 'c', 'd']);
});
