import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { readAllPages } from '../../../control/admin/client/all-pages.ts';
import { AdminRefused } from '../../../control/admin/client/send.ts';
import { CELL_COMMANDS } from '../../../control/operations/cell-commands.ts';
import { CliFailure } from '../cli-failure.ts';
import type { CliContext } from '../cli-context.ts';
import { columnsText } from '../columns.ts';
import { DeclaredCommands } from '../declared-commands.ts';
import { plain } from '../text-layout.ts';
import { moveToEnd, type MoveShown } from './move-commands.ts';

/** `cell add|list|drain|remove`: the other cells that this one knows. */
export function addCellCommands(program: Command, context: CliContext): void {
  const cell = program.command('cell').summary('other cells that this one works with');
  const commands = new DeclaredCommands(cell, context, CELL_COMMANDS);
  commands.run('cell add', async ({ given: { shard, address, token_file: file }, options }) => {
    const token = file === undefined ? await typedToken(context) : readToken(file, context);
    const added = await context.connect(options).storeCell(shard, { url: address, token });
    context.print(options, added, `Knows the cell ${plain(added.shard)} at ${plain(added.url)}.\n`);
  });
  commands.say('cell list', ({ own, data }) =>
    columnsText([{ shard: own.shard, url: null, problem: null, figures: own }, ...data], '', [
      ['SHARD', 'shard'],
      ['ADDRESS', ({ url }) => url ?? 'this cell'],
      ['VERSION', ({ figures }) => figures?.version ?? null],
      ['WORKSPACES', ({ figures }) => figures?.workspaces ?? null, 'right'],
      ['RECENT REQUESTS', ({ figures }) => figures?.answers ?? null, 'right'],
      ['LAST PROOF', ({ figures }) => figures?.last_proof_at ?? null],
      ['DIFFERENCES', ({ figures }) => figures?.last_proof_differences ?? null, 'right'],
      ['PROBLEM', 'problem'],
    ]),
  );
  commands.run('cell drain', async ({ given, options, confirm }) => {
    await confirm(`This moves all workspaces of this cell to the cell ${plain(given.to)}.`);
    const client = context.connect(options);
    const signal = context.surroundings.stopped();
    const stayed: { workspace: string; problem: string }[] = [];
    let moved = 0;
    const all = await readAllPages((page) => client.listWorkspaces(page));
    for (const { id, name } of all.filter(({ moved_to: movedTo }) => movedTo === null)) {
      const problem = await whyStaying(() => moveToEnd(client, id, given, { signal }));
      if (problem === null) moved += 1;
      else stayed.push({ workspace: name, problem });
      if (options.json !== true) context.surroundings.err(`${plain(name)}: ${plain(problem ?? 'moved')}\n`);
    }
    context.print(options, { moved, stayed }, `Moved ${moved} workspaces; ${stayed.length} have stayed.\n`);
    if (stayed.length > 0) throw new CliFailure(`workspaces have stayed here: ${stayed.length}`);
  });
  commands.say('cell find', ({ data }) => {
    const found = data.flatMap(({ shard, url, workspaces }) =>
      workspaces.map(({ id, name }) => ({ shard, url, id, name })),
    );
    const missing = data.flatMap(({ shard, problem }) =>
      problem === null ? [] : [`Cell ${shard}: ${plain(problem)}\n`],
    );
    const listed = columnsText(found, 'Nothing was found in other cells.', [
      ['SHARD', 'shard'],
      ['WORKSPACE', 'name'],
      ['ID', 'id'],
      ['ADDRESS', 'url'],
    ]);
    return listed + missing.join('');
  });
  commands.say('cell remove', ({ shard }) => `Forgot the cell ${plain(shard)}.\n`, {
    confirm: ({ shard }) => `This forgets the cell ${plain(shard)}.`,
  });
}

/** Why a workspace stays here; null if it has moved. */
async function whyStaying(move: () => Promise<MoveShown>): Promise<string | null> {
  try {
    const { state, problem } = await move();
    return state === 'ended' ? null : (problem ?? '');
  } catch (fault) {
    if (fault instanceof AdminRefused) return fault.message;
    throw fault;
  }
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
