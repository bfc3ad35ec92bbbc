import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { schemaFaults, recordSchema } from './landed-schema.ts';

test('the migrations are as instances have applied them, and the functions are those that landed last', async () => {
  expect(await schemaFaults()).toEqual([]);
});

describe('the lists of what has landed', () => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'faregate-migrations-'));
    await mkdir(join(directory, 'migrations'));
    await mkdir(join(directory, 'functions'));
    await mkdir(join(directory, 'releases'));
    await write('migrations/checksums', '');
    await write('functions/landed', '');
    await write('migrations/0001_first.sql', 'select 1;\n');
    await write('migrations/0002_second.sql', 'select 2;\n');
    await write('functions/one.sql', 'select 1;\n');
    await recordSchema(directory);
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  const write = (name: string, text: string): Promise<void> => writeFile(join(directory, name), text);
  const checksums = (): Promise<string> => readFile(join(directory, 'migrations', 'checksums'), 'utf8');
  const landed = (): Promise<string> => readFile(join(directory, 'functions', 'landed'), 'utf8');

  test('the lists of what has landed have what sha256sum writes of the migrations', async () => {
    expect(await checksums()).toBe(
      '4a45092ccf992ea92250053a80b931b787924ba61648f420555511b84f10ab6c  0001_first.sql\n' +
        'ac4396cdee0295db27f816dc31134189999d0071663e618f4957bc23edb584d7  0002_second.sql\n',
    );
  });

  test('the lists of what has landed have no complaint about files that are as they were; line ends do not count', async () => {
    await write('migrations/0001_first.sql', 'select 1;\r\n');
    await write('functions/one.sql', 'select 1;\r\n');
    expect(await schemaFaults(directory)).toEqual([]);
  });

  test('the lists of what has landed tell of a migration that was edited, and of one that is gone', async () => {
    await write('migrations/0001_first.sql', 'select 11;\n');
    await rm(join(directory, 'migrations', '0002_second.sql'));
    expect(await schemaFaults(directory)).toEqual([
      expect.stringContaining('0001_first was edited; instances that have applied it would refuse to start'),
      expect.stringContaining('0002_second is gone; instances that have applied it would refuse to start'),
    ]);
  });

  test('the lists of what has landed tell of a new migration that they lack, and take it in at their end', async () => {
    const before = await checksums();
    await write('migrations/0003_third.sql', 'select 3;\n');
    expect(await schemaFaults(directory)).toEqual([
      expect.stringContaining('0003_third is not in migrations/checksums'),
    ]);
    await recordSchema(directory);
    expect(await schemaFaults(directory)).toEqual([]);
    expect((await checksums()).startsWith(before)).toBe(true);
  });

  test('the lists of what has landed take in nothing before what has landed, and change no line for what was edited', async () => {
    const before = await checksums();
    await write('migrations/0001_late.sql', 'select 3;\n');
    await expect(recordSchema(directory)).rejects.toThrow('0001_late is older than 0002_second');
    await rm(join(directory, 'migrations', '0001_late.sql'));
    await write('migrations/0001_first.sql', 'select 11;\n');
    await write('migrations/0003_third.sql', 'select 3;\n');
    await expect(recordSchema(directory)).rejects.toThrow('0001_first was edited');
    expect(await checksums()).toBe(before);
  });

  test.each([
    ['changed', 'functions/one.sql', 'select 2;\n'],
    ['added', 'functions/two.sql', 'select 2;\n'],
  ])(
    'the lists of what has landed tell of a function that was %s, and take the set in at their end',
    async (_what, name, text) => {
      const before = await landed();
      await write(name, text);
      expect(await schemaFaults(directory)).toEqual([
        'the functions are not in functions/landed: run tools/schema-snapshot.ts',
      ]);
      await recordSchema(directory);
      expect(await schemaFaults(directory)).toEqual([]);
      expect(await landed()).toMatch(new RegExp(`^${before}[0-9a-f]{64}\n$`));
    },
  );

  test('the lists of what has landed refuse functions as they were before, which would be taken for older ones', async () => {
    await write('functions/one.sql', 'select 2;\n');
    await recordSchema(directory);
    await write('functions/one.sql', 'select 1;\n');
    await expect(recordSchema(directory)).rejects.toThrow('identical to those of an earlier version');
  });
});
