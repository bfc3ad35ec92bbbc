import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EQUIVALENT } from './equivalent-mutants.ts';
import type { MutantGroup } from './sql-mutants.ts';

// What is known of mutants from former runs, so that a group is tried again only once one of its mutants has changed.

const PATH = join(import.meta.dirname, 'mutants.json');

/** What became of a group's mutants when they were tried last. */
export interface GroupResult {
  /** Of the group, as it was then. */
  readonly sha256: string;
  /** The names of those that no test noticed. */
  readonly unnoticed: readonly string[];
}

/** Results by the names of their groups. */
export type MutantsRecord = Readonly<Record<string, GroupResult>>;

export async function readRecord(): Promise<MutantsRecord> {
  return JSON.parse(await readFile(PATH, 'utf8')) as MutantsRecord;
}

export async function writeRecord(record: MutantsRecord): Promise<void> {
  const sorted = Object.entries(record).toSorted(([one], [other]) => (one < other ? -1 : 1));
  await writeFile(PATH, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}

/** A line of the table: what became of a group, as far as it is known. */
export function describeGroup({ name, sha256, mutants }: MutantGroup, result: GroupResult | undefined): string {
  const equivalent = mutants.filter((mutant) => mutant.name in EQUIVALENT).length;
  const unnoticed = result?.unnoticed.filter((each) => !(each in EQUIVALENT)).length ?? mutants.length - equivalent;
  const noticed = mutants.length - equivalent - unnoticed;
  const numbers = [mutants.length, noticed, equivalent, unnoticed].map((each) => String(each).padStart(10)).join('');
  const note = result === undefined ? '  not tried' : result.sha256 === sha256 ? '' : '  has changed since';
  return `${name.padEnd(30)}${numbers}${note}`;
}
