import { randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '../../lib/whole-file.ts';

// The small files of a data directory: their names, their atomic writing, and their reading by commands that talk to a
// running instance.

export const operatorTokenFile = 'operator-token';
const instanceIdFile = 'instance-id';
const addressFile = 'address';

/** The data directory can't be used. The message is one line with the directory and the remedy. */
export class DataDirectoryFault extends Error {
  override readonly name = 'DataDirectoryFault';
}

/** Reads the token that opens the admin API of the instance in `directory`. @throws DataDirectoryFault */
export async function readOperatorToken(directory: string): Promise<string> {
  return readRequired(directory, operatorTokenFile, 'start Faregate there once, or give another directory with --data');
}

/** Reads the address of the instance in `directory`, or its last address if it died. @throws DataDirectoryFault */
export async function readAddress(directory: string): Promise<string> {
  return readRequired(directory, addressFile, 'start it, or give its address with --url');
}

/** Writes the instance's address, for the commands. */
export async function writeAddressFile(directory: string, url: string): Promise<void> {
  await writeWhole(join(directory, addressFile), `${url}\n`);
}

/** Removes the address, so that commands report that no instance runs here. */
export async function removeAddressFile(directory: string): Promise<void> {
  await rm(join(directory, addressFile), { force: true });
}

/** Returns the instance id in `directory`, creating it if there is none. */
export async function keepInstanceId(directory: string, make: () => string): Promise<string> {
  return keep(join(directory, instanceIdFile), make);
}

/** Returns the operator token in `directory`, creating it if there is none: 32 random bytes in base64url. */
export async function keepOperatorToken(directory: string): Promise<string> {
  return keep(join(directory, operatorTokenFile), makeOperatorToken);
}

/** Replaces the operator token in `directory`; resolves with the new one. */
export async function replaceOperatorToken(directory: string): Promise<string> {
  const token = makeOperatorToken();
  await writeWhole(join(directory, operatorTokenFile), `${token}\n`);
  return token;
}

function makeOperatorToken(): string {
  return randomBytes(32).toString('base64url');
}

async function keep(path: string, make: () => string): Promise<string> {
  const present = await readTrimmed(path);
  if (present !== null && present !== '') return present;
  const made = make();
  await writeWhole(path, `${made}\n`);
  return made;
}

async function readRequired(directory: string, file: string, remedy: string): Promise<string> {
  let content: string | null;
  try {
    content = await readTrimmed(join(directory, file));
  } catch (error) {
    throw new DataDirectoryFault(`data directory ${directory}: ${file} can't be read (${errorCode(error)})`, {
      cause: error,
    });
  }
  if (content === null || content === '') {
    throw new DataDirectoryFault(`data directory ${directory} has no ${file}: no instance runs there; ${remedy}`);
  }
  return content;
}

async function readTrimmed(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** The system's error code, such as ENOENT. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}
