import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addressOf, CONSOLE_PAGES, type ConsolePage, type PageParts } from '../../tools/console-pages.ts';
import { openFilledScene, type Scene } from '../../tools/console-scene.ts';
import { expectAccessible, expectNoNeedlessScroll, pageLoaded, resize } from '../support/page-checks.ts';
import { signedIn, type SignedInPerson } from '../support/signed-in-person.ts';
import { type Site, sharedSite } from '../support/site.ts';
import { follow, openProfile } from '../support/visit.ts';

// Every page of the console and each form that an address opens: for screen readers, in both themes, on a phone and on a small
// screen, filled and empty.

const PHONE = 320;
const SMALL_SCREEN = 1_024;
const HEIGHT = 900;
const LONG = 'A name that is as long as names of things may be: sixty chars';

let scene: Scene;
let newcomer: SignedInPerson;

beforeAll(async () => {
  scene = await openFilledScene();
  newcomer = await signedIn(sharedSite());
  const { admin } = scene.program;
  const { workspace } = scene.parts;
  const { id: project } = await admin.createProject(workspace, { name: LONG, models: ['openai/*', 'anthropic/*'] });
  await admin.createKey(project, { name: LONG, spend_limit_usd: '999999999.99' });
  await admin.postCredit(workspace, { kind: 'grant', amount_usd: '123456789.12', reason: 'R'.repeat(200) });
}, 120_000);

afterAll(async () => {
  for (const { page } of shown.values()) await page.context().close();
  await scene.program.dispose();
});

/** What moves on the page, or is about to. */
const moving = (page: Page): Promise<string[]> =>
  page.evaluate(`document.getAnimations().filter(({ playState }) => playState === 'running')
    .map(({ effect }) => effect.target.outerHTML.slice(0, 120))`);

interface Shown {
  readonly page: Page;
  readonly faults: string[];
}

/** One page for each viewer, which goes from address to address. */
const shown = new Map<SignedInPerson | null, Shown>();

async function shownTo(as: SignedInPerson | null, site: Pick<Site, 'url'>): Promise<Shown> {
  const known = shown.get(as);
  if (known !== undefined) return known;
  const { context, faults } = await openProfile(site, as === null ? {} : { as });
  const made = { page: await context.newPage(), faults };
  shown.set(as, made);
  return made;
}

const BLANK = 'about:blank';

/** Goes to an address by links, over one where nothing is: what the window has loaded stays loaded, axe too. */
async function goTo(page: Page, address: string): Promise<void> {
  if (page.url() === BLANK) {
    await page.goto(address);
  } else {
    await follow(page, '/nowhere');
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    await follow(page, address);
  }
  await pageLoaded(page, null);
}

/**
 * Looks at a page on a small screen in light colours, where tables are tables, and on a phone in dark ones, where their rows are
 * cards.
 */
async function expectSound({ page, faults }: Shown, address: string, each: ConsolePage): Promise<void> {
  await resize(page, SMALL_SCREEN, HEIGHT);
  await page.emulateMedia({ colorScheme: 'light' });
  const open = async (): Promise<void> => {
    await goTo(page, address);
    await each.act?.(page);
  };
  await open();
  await expectNoNeedlessScroll(page);
  await expectAccessible(page);
  await resize(page, PHONE, HEIGHT);
  await page.emulateMedia({ colorScheme: 'dark' });
  // What is done on a page may be another thing on a phone.
  if (each.act !== undefined) {
    await page.goto(BLANK);
    await open();
  }
  await expectNoNeedlessScroll(page);
  await expectAccessible(page);
  expect(await moving(page)).toEqual([]);
  expect(faults.splice(0)).toEqual([]);
  // What was begun there isn't asked about.
  if (each.act !== undefined) await page.goto(BLANK);
}

test.each(CONSOLE_PAGES.map((each) => ({ ...each, each })))(
  'the page "$name" is accessible and fits, on a small screen in light and a phone in dark, and nothing moves',
  async ({ as, each }) => {
    const viewer = await shownTo(as === 'nobody' ? null : scene.people[as], scene.program);
    await expectSound(viewer, addressOf(each, scene.parts), each);
  },
);

const NOTHING: PageParts = {
  workspace: '',
  moved: '',
  project: '',
  key: '',
  request: '',
  refusal: '',
  member: '',
  event: '',
  model: 'sandbox/echo',
  invitation: '',
  webhook: '',
};

/** Lists and pages of an own workspace, as they are before there is anything in them. */
const EMPTY = CONSOLE_PAGES.filter(
  (each) =>
    each.as === 'owner' &&
    /^\/(account|workspaces\/\$workspace)(\/[a-z-]+)*$/.test(each.route) &&
    each.act === undefined &&
    each.about === undefined &&
    each.rest(NOTHING) === '',
);

test.each(EMPTY.map((each) => ({ ...each, each })))(
  'the page "$name" of a workspace without anything is accessible and fits a small screen and a phone',
  async ({ each }) => {
    const address = addressOf(each, { ...NOTHING, workspace: newcomer.workspaceId });
    await expectSound(await shownTo(newcomer, sharedSite()), address, each);
  },
);
