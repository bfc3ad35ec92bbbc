import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { faultsOfMigrations, listNewMigrations } from './migration-checksums.ts';

test('the migrations are as instances have applied them', async () => {
  expect(await faultsOfMigrations()).toEqual([]);
});

describe('the list of checksums', () => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'faregate-migrations-'));
    await write('checksums', '');
    await write('0001_first.sql', 'select 1;\n');
    await write('0002_second.sql', 'select 2;\n');
    await listNewMigrations(directory);
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  const write = (name: string, text: string): Promise<void> => writeFile(join(directory, name), text);
  const list = (): Promise<string> => readFile(join(directory, 'checksums'), 'utf8');

  test('is what sha256sum writes', async () => {
    expect(await list()).toBe(
      '4a45092ccf992ea92250053a80b931b787924ba61648f420555511b84f10ab6c  0001_first.sql\n' +
        'ac4396cdee0295db27f816dc31134189999d0071663e618f4957bc23edb584d7  0002_second.sql\n',
    );
  });

  test('has no complaint about what is as it was; line ends do not count', async () => {
    await write('0001_first.sql', 'select 1;\r\n');
    expect(await faultsOfMigrations(directory)).toEqual([]);
  });

  test('tells of a migration that was edited, and of one that is gone', async () => {
    await write('0001_first.sql', 'select 11;\n');
    await rm(join(directory, '0002_second.sql'));
    expect(await faultsOfMigrations(directory)).toEqual([
      expect.stringContaining('0001_first was edited; instances that have applied it would refuse to start'),
      expect.stringContaining('0002_second is gone; instances that have applied it would refuse to start'),
    ]);
  });

  test('tells of a new migration that is not in it, and takes it in at its end', async () => {
    const before = await list();
    await write('0003_third.sql', 'select 3;\n');
    expect(await faultsOfMigrations(directory)).toEqual([expect.stringContaining('0003_third is not in checksums')]);
    await listNewMigrations(directory);
    expect(await faultsOfMigrations(directory)).toEqual([]);
    expect((await list()).startsWith(before)).toBe(true);
  });

  test('takes in nothing before what has landed, and changes no line for what was edited', async () => {
    const before = await list();
    await write('0001_late.sql', 'select 3;\n');
    await expect(listNewMigrations(directory)).rejects.toThrow('0001_late is older than 0002_second');
    await rm(join(directory, '0001_late.sql'));
    await write('0001_first.sql', 'select 11;\n');
    await write('0003_third.sql', 'select 3;\n');
    await expect(listNewMigrations(directory)).rejects.toThrow('0001_first was edited');
    expect(await list()).toBe(before);
  });
});
