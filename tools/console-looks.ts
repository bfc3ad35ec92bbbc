import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { build } from 'vite';
import { launchChromium, unpackChromium } from '../test/support/chromium.ts';
import { toolArguments } from './tool-arguments.ts';

// Takes pictures of every component of the console's kit, in both themes, wide and narrow, out of a real browser and
// under the content security policy of the console: tools/with-node node tools/console-looks.ts --into FOLDER

const CONSOLE = join(import.meta.dirname, '../console');
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'";
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };
const WIDTHS = [320, 1280] as const;
const THEMES = ['light', 'dark'] as const;
/** What is opened for a picture of its own, by the name of its button. */
const OVERLAYS = ['Open dialog', 'Open sheet', 'Open confirmation', 'More actions'] as const;

const { values } = toolArguments('usage: console-looks.ts [--into FOLDER]', {
  options: { into: { type: 'string', default: 'looks' } },
});

async function buildLooks(folder: string): Promise<void> {
  await build({
    configFile: false,
    root: CONSOLE,
    logLevel: 'warn',
    plugins: [react(), tailwindcss()],
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: 'es2023',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: join(CONSOLE, 'looks.html') },
    },
  });
}

async function serve(folder: string): Promise<Server> {
  const server = createServer((request, response) => {
    const name = basename(request.url ?? '');
    const file = join(folder, name === 'looks.html' ? '' : 'assets', name);
    readFile(file).then(
      (body) => {
        const type = TYPES[extname(file)] ?? 'application/octet-stream';
        response.writeHead(200, { 'content-type': type, 'content-security-policy': POLICY }).end(body);
      },
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return server;
}

async function picture(
  browser: Browser,
  address: string,
  theme: (typeof THEMES)[number],
  width: number,
): Promise<void> {
  const context = await browser.newContext({
    colorScheme: theme,
    viewport: { width, height: 900 },
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  page.on('console', (message) => console.log(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (fault) => console.log(`thrown: ${fault.message}`));
  const take = async (name: string, fullPage = false): Promise<void> => {
    await writeFile(join(values.into, `${theme}-${width}-${name}.png`), await page.screenshot({ fullPage }));
  };
  await page.goto(`${address}/looks.html`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await take('page', true);
  for (const name of OVERLAYS) {
    await page.getByRole('button', { name }).click();
    await take(name.toLowerCase().replaceAll(' ', '-'));
    await page.keyboard.press('Escape');
  }
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  if (overflow > 0) console.log(`${theme}, ${width}: ${overflow} px wider than the window`);
  await context.close();
}

const folder = await mkdtemp(join(tmpdir(), 'faregate-looks-'));
const chromium = await unpackChromium();
await mkdir(values.into, { recursive: true });
await buildLooks(folder);
const server = await serve(folder);
const browser = await launchChromium(chromium);
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
for (const theme of THEMES) for (const width of WIDTHS) await picture(browser, address, theme, width);
await browser.close();
server.close();
for (const each of [folder, chromium]) if (each !== null) await rm(each, { recursive: true, force: true });
console.log(`pictures are in ${values.into}`);
