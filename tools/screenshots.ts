import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { openLargeLedger } from '../bench/large-ledger.ts';
import type { Sql } from '../src/lib/sql.ts';
import { launchChromium, unpackChromium } from '../test/support/chromium.ts';
import { type Program, startProgram } from '../test/support/program.ts';
import { sessionCookies } from '../test/support/session-cookies.ts';
import { signedIn, type SignedInPerson } from '../test/support/signed-in-person.ts';
import { CONSOLE_PAGES, type ConsolePage, type PageIds } from './console-pages.ts';

// Pictures of every page of the console, for people to look at: in three widths and two themes, filled and empty.
//
//     npm run screenshots                # all pages, into screenshots/
//     npm run screenshots -- key home    # those with these names

const OUTPUT = join(import.meta.dirname, '../screenshots');
const WIDTHS = [360, 1024, 1440] as const;
const THEMES = ['light', 'dark'] as const;
const HEIGHT = 900;
/** A page that still loads after this long is pictured as it is. */
const QUIET_MS_MAX = 3_000;

const HISTORY = { receipts: 600, keys: 8, projects: 4, days: 30 };
const PROJECTS: readonly string[] = ['Support assistant', 'Search', 'Nightly reports', 'Evaluation'];
const KEYS: readonly string[] = [
  'production',
  'staging',
  'batch',
  'notebook',
  'mobile app',
  'web',
  'canary',
  'load test',
];
const NOTHING = '00000000-0000-7000-8000-000000000000';

/** A workspace with the people who look at it. */
interface Scene {
  readonly name: 'filled' | 'empty';
  readonly ids: PageIds;
  readonly people: Readonly<Record<'owner' | 'operator', SignedInPerson>>;
}

async function sceneOf(program: Program, name: Scene['name'], ids: PageIds): Promise<Scene> {
  const workspaceId = ids.workspace;
  const owner = await signedIn(program, { workspaceId, name: 'Ada Example' });
  const operator = await signedIn(program, { workspaceId, name: 'Oscar Operator', isOperator: true });
  return { name, ids, people: { owner, operator } };
}

/** A month of requests by several projects and keys, credit and a few requests of today. */
async function fill(program: Program): Promise<PageIds> {
  const sql = await program.openDatabase();
  const { workspace } = await openLargeLedger(sql, HISTORY);
  await nameThings(sql, workspace.id);
  await program.admin.grantCredit(workspace.id, { amount_usd: '250', reason: 'Welcome credit' });
  const { id: project } = await program.admin.createProject(workspace.id, {
    name: 'Playground',
    budget_usd: '20',
    budget_period: 'month',
  });
  const { id: key, key: secret } = await program.admin.createKey(project, { name: 'demo', spend_limit_usd: '5' });
  let request = NOTHING;
  for (const content of ['Write a haiku about trains.', 'Summarise this text.', 'Hello']) {
    const answer = await program.chat(secret, { model: 'sandbox/echo', messages: [{ role: 'user', content }] });
    request = answer.headers.get('x-request-id') ?? NOTHING;
    await answer.text();
  }
  return { workspace: workspace.id, project, key, request };
}

/** Gives the numbered projects and keys of the generated history names as people choose them. */
async function nameThings(sql: Sql, workspaceId: string): Promise<void> {
  await sql.query(`update workspaces set name = 'Example Company' where id = $1`, [workspaceId]);
  for (const [table, prefix, names] of [
    ['projects', 'project', PROJECTS],
    ['keys', 'key', KEYS],
  ] as const) {
    for (const [index, name] of names.entries()) {
      await sql.query(`update ${table} set name = $3 where workspace_id = $1 and name = $2`, [
        workspaceId,
        `${prefix} ${index + 1}`,
        name,
      ]);
    }
  }
}

async function picture(browser: Browser, program: Program, scene: Scene, page: ConsolePage): Promise<void> {
  for (const theme of THEMES) {
    const context = await browser.newContext({ baseURL: program.url, colorScheme: theme, reducedMotion: 'reduce' });
    try {
      if (page.as !== 'nobody') await context.addCookies(sessionCookies(scene.people[page.as].session, program.url));
      const shown = await context.newPage();
      for (const width of WIDTHS) {
        await shown.setViewportSize({ width, height: HEIGHT });
        await shown.goto(page.path(scene.ids));
        await quiet(shown);
        await shown.screenshot({
          path: join(OUTPUT, `${page.name}-${scene.name}-${theme}-${width}.png`),
          fullPage: true,
        });
      }
    } finally {
      await context.close();
    }
  }
}

/** Resolves once nothing has loaded for a moment. A stream of events doesn't count: it never ends. */
async function quiet(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle', { timeout: QUIET_MS_MAX }).catch(() => undefined);
}

const named = process.argv.slice(2);
const pages = CONSOLE_PAGES.filter(({ name }) => named.length === 0 || named.includes(name));
await mkdir(OUTPUT, { recursive: true });
const folder = await unpackChromium();
const program = await startProgram();
const browser = await launchChromium(folder);
try {
  const empty = await program.admin.createWorkspace({ name: 'New workspace' });
  const nothing = { workspace: empty.id, project: NOTHING, key: NOTHING, request: NOTHING };
  const scenes = [await sceneOf(program, 'filled', await fill(program)), await sceneOf(program, 'empty', nothing)];
  for (const page of pages) {
    for (const scene of scenes) await picture(browser, program, scene, page);
    console.log(page.name);
  }
} finally {
  await browser.close();
  await program.dispose();
  if (folder !== null) await rm(folder, { recursive: true, force: true });
}
