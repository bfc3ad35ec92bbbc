import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, openDatabase } from '../../src/database/pool.ts';
import type { Program } from './program.ts';

// The embedded PostgreSQL of a started program, seen from outside.

async function pidFile(program: Program): Promise<string[]> {
  return (await readFile(join(program.data, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
}

/** The process id of the database server. */
export async function postmasterPid(program: Program): Promise<number> {
  return Number((await pidFile(program))[0]);
}

/** A connection of the test's own to the program's database. */
export async function openProgramDatabase(program: Program): Promise<Database> {
  const socketDirectory = (await pidFile(program))[4] ?? '';
  return openDatabase({
    connection: { socketDirectory, user: 'faregate', database: 'faregate' },
    connectionsMax: 2,
    applicationName: 'faregate-test',
  });
}
