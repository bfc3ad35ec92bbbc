import type { BrowserContext, ConsoleMessage, Page, Request } from 'playwright-core';
import { expect, inject, onTestFinished } from 'vitest';
import { launchChromium } from './chromium.ts';
import { sessionCookies } from './session-cookies.ts';
import type { SignedInPerson } from './signed-in-person.ts';
import type { Site } from './site.ts';

export type Chromium = Awaited<ReturnType<typeof launchChromium>>;

let opening: Promise<Chromium> | null = null;

/** The browser of this worker, which is started when it is first asked for and ends with the worker's process. */
export function openBrowser(): Promise<Chromium> {
  opening ??= launchChromium(inject('chromiumFolder'));
  return opening;
}

const HEIGHT = 900;

export interface VisitOptions {
  /** Whose session the browser has; none by default. */
  readonly as?: SignedInPerson;
  readonly width?: number;
  readonly theme?: 'light' | 'dark';
  /** By its IANA name; UTC by default. */
  readonly timeZone?: string;
  /** Whether things move; by default not, so that nothing is looked at half-way. */
  readonly motion?: boolean;
  /** Faults that the test provokes, such as /status of 409/. Any other fails the test. */
  readonly expectedFaults?: readonly RegExp[];
}

export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What the page did wrong until now: each line says what and where. */
  readonly faults: readonly string[];
}

/** Opens a profile of the browser for a site. Its faults and its end are up to the caller. */
export async function openProfile(
  site: Pick<Site, 'url'>,
  options: Omit<VisitOptions, 'expectedFaults'> = {},
): Promise<{ readonly context: BrowserContext; readonly faults: string[] }> {
  const { as, width = 1440, theme = 'light', timeZone = 'UTC', motion = false } = options;
  const context = await (
    await openBrowser()
  ).newContext({
    baseURL: site.url,
    viewport: { width, height: HEIGHT },
    colorScheme: theme,
    timezoneId: timeZone,
    locale: 'en-US',
    reducedMotion: motion ? 'no-preference' : 'reduce',
  });
  const faults: string[] = [];
  if (as !== undefined) await context.addCookies(sessionCookies(as.session, site.url));
  await watch(context, site.url, faults);
  return { context, faults };
}

/**
 * Opens a page of a site in a profile of its own. The test fails at its end if a page has thrown or logged an error, broken
 * the content security policy, or requested anything of another origin.
 */
export async function visit(
  site: Pick<Site, 'url'>,
  path: string,
  { expectedFaults = [], ...options }: VisitOptions = {},
): Promise<Visit> {
  const { context, faults } = await openProfile(site, options);
  onTestFinished(async () => {
    await context.close();
    expect(faults.filter((fault) => !expectedFaults.some((expected) => expected.test(fault)))).toEqual([]);
  });
  const page = await context.newPage();
  await page.goto(path);
  return { context, page, faults };
}

/** Goes on to another page of the console by a link, without a reload. */
export async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate(`(() => {
    const link = document.createElement('a');
    link.href = ${JSON.stringify(path)};
    document.body.append(link);
    link.click();
    link.remove();
  })()`);
}

const REPORT_VIOLATIONS = `document.addEventListener('securitypolicyviolation', (event) => {
  reportViolation(event.violatedDirective + ' forbids ' + (event.blockedURI || 'something') + ' at ' + event.sourceFile);
});`;

async function watch(context: BrowserContext, origin: string, faults: string[]): Promise<void> {
  context.on('console', (message: ConsoleMessage) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()} at ${message.location().url}`);
  });
  context.on('weberror', (thrown) => faults.push(`thrown: ${thrown.error().stack ?? thrown.error().message}`));
  context.on('request', (request: Request) => {
    const url = new URL(request.url());
    if (/^(https?|wss?):$/.test(url.protocol) && url.origin !== new URL(origin).origin) {
      faults.push(`request to another origin: ${request.url()}`);
    }
  });
  await context.exposeFunction('reportViolation', (violation: string) => faults.push(`policy: ${violation}`));
  await context.addInitScript(REPORT_VIOLATIONS);
}
