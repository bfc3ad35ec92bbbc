import { expect, test } from 'vitest';
import { readSchemaFiles, schemaDirectory } from './schema-files.ts';
import { statementsOf } from './statements.ts';

test.each<[string, string, readonly string[]]>([
  ['at each semicolon', 'select 1; select 2;\n', ['select 1', 'select 2']],
  ['never in a string', `select ';', 'it''s;'; select 2`, [`select ';', 'it''s;'`, 'select 2']],
  ['never in a string with escapes', String.raw`select E'\';' ; select 2`, [String.raw`select E'\';'`, 'select 2']],
  ['never in a name', 'select 1 as "a;""b"; select 2', ['select 1 as "a;""b"', 'select 2']],
  ['never in a body', 'do $$ begin; end $$; select 2', ['do $$ begin; end $$', 'select 2']],
  ['never in a body in a body', 'do $a$ x $$;$$; $b$;$b$ $a$; select $1', ['do $a$ x $$;$$; $b$;$b$ $a$', 'select $1']],
  ['never in a comment', 'select 1 -- one; two\n, 2; /* a; /* b; */ ; */ select 3', ['select 1  \n, 2', 'select 3']],
  ['after a name that ends in e or has a dollar', `select type'a;b', a$b$ ; $c$`, [`select type'a;b', a$b$`, '$c$']],
  [
    'at the commas of an ALTER TABLE, but for those in parentheses',
    `alter table only a add column b numeric(1, 2) default 3, add check (b in (1, 2)), alter c set default ','`,
    [
      'alter table only a add column b numeric(1, 2) default 3',
      'alter table only a add check (b in (1, 2))',
      `alter table only a alter c set default ','`,
    ],
  ],
  [
    'at no other commas',
    'create table a (b int, c int); drop table a, b',
    ['create table a (b int, c int)', 'drop table a, b'],
  ],
])('SQL is split into single statements %s', (_, sql, statements) => {
  expect(statementsOf(sql)).toEqual(statements);
});

/** These were written before each subcommand was a statement, and landed. */
const LAST_OF_SEVERAL = '0034';

test('no body is unquoted, and a new migration writes each subcommand of an ALTER TABLE as a statement', async () => {
  const { migrations, functions } = await readSchemaFiles(schemaDirectory);
  const unquoted = [...migrations, ...functions].filter(({ sql }) => /begin\s+atomic/i.test(sql));
  expect(unquoted.map(({ name }) => name)).toEqual([]);
  for (const { name, sql } of migrations.filter((each) => each.name.slice(0, 4) > LAST_OF_SEVERAL)) {
    const written = sql.replaceAll(/\s+/g, ' ');
    const split = statementsOf(sql).filter((statement) => !written.includes(`${statement.replaceAll(/\s+/g, ' ')};`));
    expect({ name, split }).toEqual({ name, split: [] });
  }
});

test('each function is one statement', async () => {
  const { functions } = await readSchemaFiles(schemaDirectory);
  expect(functions.filter(({ sql }) => statementsOf(sql).length !== 1).map(({ name }) => name)).toEqual([]);
});
