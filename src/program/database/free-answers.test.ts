import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, openAccount } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import type { Principal } from '../../domain/principal.ts';
import { DatabaseUnavailable, type Sql, SqlFault } from '../../lib/sql.ts';
import { PostgresFreeAnswers } from './free-answers.ts';

type Project = Pick<Principal, 'workspaceId' | 'projectId'>;

let db: TestDatabase;
beforeAll(async () => void (db = await startTestDatabase()));
afterAll(() => db.stop());

async function openProject(): Promise<Project> {
  const { workspace, project }: Account = await openAccount(db.database);
  return { workspaceId: workspace.id, projectId: project.id };
}

/** A database whose every statement fails so. */
function failing(fault: Error): Sql {
  return { query: () => Promise.reject(fault), transaction: () => Promise.reject(fault) };
}

test('what a project has free in an hour is taken by many together up to the bound, and not beyond', async () => {
  const project = await openProject();
  const [one, other] = [new PostgresFreeAnswers(db.database, 10n), new PostgresFreeAnswers(db.database, 10n)];
  const taken = await Promise.all(
    Array.from({ length: 12 }, (_, at) => (at % 2 === 0 ? one : other).take(project, 3n)),
  );
  expect(taken.filter(Boolean)).toHaveLength(3);
  expect(await one.take(project, 1n)).toBe(true);
  expect(await other.take(project, 1n)).toBe(false);
});

test('what a project has free in an hour is no part of an answer that costs more, and does not lessen by it', async () => {
  const project = await openProject();
  const freeAnswers = new PostgresFreeAnswers(db.database, 10n);
  expect([await freeAnswers.take(project, 11n), await freeAnswers.take(project, 10n)]).toEqual([false, true]);
});

test('what a project has free in an hour is full again with the next hour', async () => {
  const project = await openProject();
  const freeAnswers = new PostgresFreeAnswers(db.database, 10n);
  await freeAnswers.take(project, 10n);
  await db.database.query(`update free_answers set hour = hour - interval '1 hour' where project_id = $1`, [
    project.projectId,
  ]);
  expect([await freeAnswers.take(project, 10n), await freeAnswers.take(project, 1n)]).toEqual([true, false]);
});

test('what a project has free in an hour is unbounded while the database is away, and no other fault goes unseen', async () => {
  const project = { workspaceId: '', projectId: '' };
  const away = new PostgresFreeAnswers(failing(new DatabaseUnavailable('away')), 10n);
  expect(await away.take(project, 10n)).toBe(true);
  const fault = new SqlFault('no', '42883', null);
  await expect(new PostgresFreeAnswers(failing(fault), 10n).take(project, 1n)).rejects.toBe(fault);
});
