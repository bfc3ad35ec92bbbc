import { operatorScope, scopeOf } from '../../../test/support/scopes.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Account, granted, openAccount, openKey, openProject } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { openLargeWorkspace } from '../../../test/support/large-workspace.ts';
import { listPostings } from '../ledger/posting-history.ts';
import { postCredit } from '../ledger/postings.ts';
import type { Page, PageRequest } from '../../lib/page.ts';
import type { Sql } from '../../lib/sql.ts';
import { listKeys } from './key-list.ts';
import { listProjects } from './projects.ts';
import { listWorkspaces } from './workspaces.ts';

const KEYS = 20_000;

let testDatabase: TestDatabase;
let sql: Sql;
let large: Account;
beforeAll(async () => {
  // One connection, so that the statistics of a statement are visible to the next one.
  testDatabase = await startTestDatabase({ connectionsMax: 1 });
  sql = testDatabase.database;
  large = await openLargeWorkspace(sql, { keys: KEYS, receipts: 1 });
});
afterAll(() => testDatabase.stop());

/** The ids of a list, read in pages of this size; `between` runs after each. */
async function walk(
  read: (page: PageRequest) => Promise<Page<{ readonly id: string }>>,
  limit: number,
  between: () => Promise<unknown> = () => Promise.resolve(),
): Promise<string[]> {
  const ids: string[] = [];
  let after: string | null = null;
  do {
    const page: Page<{ readonly id: string }> = await read({ after, limit });
    ids.push(...page.items.map(({ id }) => id));
    after = page.next;
    await between();
  } while (after !== null);
  return ids;
}

async function rowsRead(): Promise<number> {
  await sql.query('select pg_stat_force_next_flush()');
  const [row] = await sql.query<{ count: bigint }>(
    `select (sum(seq_tup_read) + sum(coalesce(idx_tup_fetch, 0)))::bigint as count from pg_stat_user_tables
     where relname in ('keys', 'projects', 'workspaces', 'purses', 'ledger_postings')`,
  );
  return Number(row?.count);
}

test('each item of a list is on exactly one page, whatever is added while its pages are read', async () => {
  const { workspace, project } = await openAccount(sql);
  const add = async (): Promise<void> => {
    await openKey(sql, project, { name: 'late' });
  };
  for (let count = 0; count < 6; count += 1) await add();
  const known = (await listKeys(sql, scopeOf(project.workspaceId), { projectId: project.id })).items.map(
    ({ id }) => id,
  );
  let additions = 3;
  const found = await walk(
    (page) => listKeys(sql, scopeOf(project.workspaceId), { projectId: project.id }, page),
    2,
    async () => {
      additions -= 1;
      if (additions >= 0) await add();
    },
  );
  expect(new Set(found).size).toBe(found.length);
  expect(found.slice(0, known.length)).toEqual(known);
  expect(found).toHaveLength(known.length + 3);

  const post = async (): Promise<void> => {
    granted(await postCredit(sql, scopeOf(workspace.id), { kind: 'grant', amount: 1n, reason: 'a test' }));
  };
  for (let count = 0; count < 5; count += 1) await post();
  const before = (await listPostings(sql, scopeOf(workspace.id))).items.map(({ id }) => id);
  expect(await walk((page) => listPostings(sql, scopeOf(workspace.id), page), 2, post)).toEqual(before);
});

test('projects and workspaces are listed oldest first, in pages that end with the last', async () => {
  const { workspace } = large;
  for (const name of ['one', 'two', 'three']) {
    await openProject(sql, workspace, { name });
    // Ids made in the same millisecond are not ordered.
    const madeMs = Date.now();
    await vi.waitUntil(() => Date.now() > madeMs, { interval: 1, timeout: 10_000 });
  }
  const names = (await listProjects(sql, scopeOf(workspace.id), {})).items.map(({ name }) => name);
  expect(names.slice(1)).toEqual(['one', 'two', 'three']);
  const ids = (await listProjects(sql, scopeOf(workspace.id), {})).items.map(({ id }) => id);
  expect(await walk((page) => listProjects(sql, scopeOf(workspace.id), {}, page), 2)).toEqual(ids);
  expect(await listProjects(sql, scopeOf(workspace.id), {}, { limit: 4 })).toMatchObject({ next: null });
  const all = (await listWorkspaces(sql, operatorScope(), {}, { limit: 200 })).items.map(({ id }) => id);
  expect(await walk((page) => listWorkspaces(sql, operatorScope(), {}, page), 1)).toEqual(all);
});

test('a page of very many keys reads as many rows as it shows, at any position', async () => {
  const { project } = large;
  let after: string | null = null;
  for (const from of [0, 200, KEYS - 300]) {
    const [place] = await sql.query<{ id: string }>(
      'select id from keys where project_id = $1 order by id offset $2 limit 1',
      [project.id, Math.max(0, from - 1)],
    );
    after = from === 0 ? null : (place?.id ?? null);
    const before = await rowsRead();
    const { items, next } = await listKeys(
      sql,
      scopeOf(project.workspaceId),
      { projectId: project.id },
      { after, limit: 200 },
    );
    expect({ count: items.length, hasNext: next !== null }).toEqual({ count: 200, hasNext: true });
    // Each key twice, for its place and as a whole, the purse of its month and its project.
    expect((await rowsRead()) - before).toBeLessThan(850);
  }
});
