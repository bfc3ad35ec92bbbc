import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchChromium, unpackChromium } from '../test/support/chromium.ts';
import { sessionCookies } from '../test/support/session-cookies.ts';
import { addressOf, CONSOLE_PAGES, type ConsolePage } from './console-pages.ts';
import { openEmptyScene, openFilledScene, type Scene } from './console-scene.ts';
import { endWithUsage, toolArguments } from './tool-arguments.ts';

// Pictures of every page of the console, for people to look at: in three widths and two themes, of an instance that is in
// use and of an empty one. All of them take about five minutes.
//
//     npm run screenshots                              # all pages, into screenshots/
//     npm run screenshots -- key home                  # those with these names (tools/console-pages.ts)
//     npm run screenshots -- --look filled-dark-375    # in this look alone; there can be several

const OUTPUT = join(import.meta.dirname, '../screenshots');
const WIDTHS = [1440, 1024, 375] as const;
const THEMES = ['light', 'dark'] as const;
const SCENES = ['filled', 'empty'] as const;
const LOOKS = SCENES.flatMap((scene) => THEMES.flatMap((theme) => WIDTHS.map((width) => `${scene}-${theme}-${width}`)));
const HEIGHT = 900;
/** What else a page loads is not waited for any longer. A stream of events never ends. */
const QUIET_MS_MAX = 3_000;
/** A page that still shows placeholders after this long is pictured with them. */
const LOADING_MS_MAX = 20_000;
/** Pages that are pictured at the same time. */
const CONCURRENCY = 2;

const USAGE = 'usage: screenshots.ts [--look SCENE-THEME-WIDTH]… [PAGE]…';

const { values, positionals: names } = toolArguments(USAGE, {
  options: { look: { type: 'string', multiple: true, default: [] } },
  allowPositionals: true,
});
const wanted = values.look;
const isWanted = (look: string): boolean => wanted.length === 0 || wanted.includes(look);

/** Resolves once nothing has loaded for a moment, and nothing on the page stands for what still loads. */
async function quiet(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle', { timeout: QUIET_MS_MAX }).catch(() => undefined);
  const placeholder = page.locator('.animate-pulse, [aria-busy="true"]').first();
  await placeholder.waitFor({ state: 'detached', timeout: LOADING_MS_MAX }).catch(() => undefined);
}

/** Loads the page once; both themes and all widths are changed under way, unless something is done on it first. */
async function picture(
  browser: Browser,
  { name: scene, program, parts, people }: Scene,
  page: ConsolePage,
): Promise<void> {
  const context = await browser.newContext({ baseURL: program.url, reducedMotion: 'reduce', locale: 'en-US' });
  try {
    if (page.as !== 'nobody') await context.addCookies(sessionCookies(people[page.as].session, program.url));
    const shown = await context.newPage();
    const widths = WIDTHS.filter((width) => THEMES.some((theme) => isWanted(`${scene}-${theme}-${width}`)));
    for (const [index, width] of widths.entries()) {
      await shown.setViewportSize({ width, height: HEIGHT });
      if (index === 0 || page.act !== undefined) {
        await shown.goto('about:blank');
        await shown.goto(addressOf(page, parts));
        await quiet(shown);
        await page.act?.(shown);
        await quiet(shown);
      }
      // What a dialog covers is not looked at.
      const fullPage = (await shown.locator('dialog:modal').count()) === 0;
      for (const theme of THEMES.filter((each) => isWanted(`${scene}-${each}-${width}`))) {
        await shown.emulateMedia({ colorScheme: theme });
        await shown.evaluate('scrollTo(0, 0)');
        await shown.screenshot({ path: join(OUTPUT, `${page.name}-${scene}-${theme}-${width}.png`), fullPage });
      }
    }
  } finally {
    await context.close();
  }
}

for (const [kind, given, known] of [
  ['page', names, CONSOLE_PAGES.map(({ name }) => name)],
  ['look', wanted, LOOKS],
] as const) {
  const unknown = given.filter((name) => !known.includes(name));
  if (unknown.length > 0) endWithUsage(USAGE, `There is no ${kind} ${unknown.join(', ')}, but ${known.join(', ')}.`);
}
const pages = CONSOLE_PAGES.filter(({ name }) => names.length === 0 || names.includes(name));
await mkdir(OUTPUT, { recursive: true });
const folder = await unpackChromium();
const browser = await launchChromium(folder);
const scenes: Scene[] = [];
try {
  for (const name of SCENES) {
    if (wanted.length > 0 && !wanted.some((look) => look.startsWith(name))) continue;
    scenes.push(await (name === 'filled' ? openFilledScene() : openEmptyScene()));
  }
  const waiting = pages.flatMap((page) => scenes.map((scene) => ({ page, scene })));
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const name = `${next.page.name}, ${next.scene.name}`;
      try {
        await picture(browser, next.scene, next.page);
        console.log(name);
      } catch (fault) {
        console.error(`${name}: ${String(fault)}`);
        process.exitCode = 1;
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
} finally {
  await browser.close();
  for (const { program } of scenes) await program.dispose();
  if (folder !== null) await rm(folder, { recursive: true, force: true });
}
