import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AdminClient, createAdminClient } from '../../src/admin/client.ts';
import type { Program } from './program.ts';

/** The admin API of a started program, as the commands reach it but without a process for each. */
export async function adminOf(program: Pick<Program, 'url' | 'data'>): Promise<AdminClient> {
  const token = (await readFile(join(program.data, 'operator-token'), 'utf8')).trim();
  return createAdminClient({ url: program.url, token });
}
