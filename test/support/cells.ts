import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Program, startProgram } from './program.ts';

/** Starts a cell with an embedded database. `config`: all of its config file but the shard. The caller disposes of it. */
export async function startCell(shard: string, config: string): Promise<Program> {
  return await startProgram({ config: `database: { shard: "${shard}" }\n${config}` });
}

/** Has a cell know another one, by its command. */
export async function addCell(
  to: Program,
  shard: string,
  other: Pick<Program, 'url' | 'operatorToken'>,
): Promise<void> {
  await to.json('cell', 'add', shard, other.url, '--token-file', await tokenFile(to, other.operatorToken));
}

/** A file in the data directory of a program with this token. */
export async function tokenFile({ data }: Pick<Program, 'data'>, token: string): Promise<string> {
  const file = join(data, 'other-cell.token');
  await writeFile(file, `${token}\n`);
  return file;
}
