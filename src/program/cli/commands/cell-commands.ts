import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { CELL_COMMANDS } from '../../../control/operations/cell-commands.ts';
import { CliFailure } from '../cli-failure.ts';
import type { CliContext } from '../cli-context.ts';
import { columnsText } from '../columns.ts';
import { DeclaredCommands } from '../declared-commands.ts';
import { plain } from '../text-layout.ts';

/** `cell add|list|remove`: the other cells that this one knows. */
export function addCellCommands(program: Command, context: CliContext): void {
  const cell = program.command('cell').summary('other cells that this one works with');
  const commands = new DeclaredCommands(cell, context, CELL_COMMANDS);
  commands.run('cell add', async ({ given: { shard, address, token_file: file }, options }) => {
    const token = file === undefined ? await typedToken(context) : readToken(file, context);
    const added = await context.connect(options).storeCell(shard, { url: address, token });
    context.print(options, added, `Knows the cell ${plain(added.shard)} at ${plain(added.url)}.\n`);
  });
  commands.say('cell list', ({ data }) =>
    columnsText(data, 'No other cell is known.', [
      ['SHARD', 'shard'],
      ['ADDRESS', 'url'],
      ['RUNS', 'program'],
      ['ANSWERS', ({ problem }) => problem ?? 'yes'],
    ]),
  );
  commands.say('cell remove', ({ shard }) => `Forgot the cell ${plain(shard)}.\n`, {
    confirm: ({ shard }) => `This forgets the cell ${plain(shard)}.`,
  });
}

function readToken(file: string, { surroundings: { cwd } }: CliContext): string {
  try {
    return readFileSync(resolve(cwd, file), 'utf8').trim();
  } catch (cause) {
    throw new CliFailure(`the file of the token can't be read: ${file}`, { cause });
  }
}

async function typedToken({ surroundings }: CliContext): Promise<string> {
  const token = await surroundings.askSecret('An operator token of that cell: ');
  if (token === null) throw new CliFailure('there is no terminal to type the token at: give it by --token-file');
  return token.trim();
}
