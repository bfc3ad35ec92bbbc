import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../repository/tree.ts';
import { InstalledPackage, pack, pathsIn, type StartedPackage } from './installed-package.ts';

// The npm package as users have it. `npm run package:try` names Nodes, and tries it on each of them as npm installs it.

const NODES = (process.env['PACKAGE_NODES'] ?? '').split(':').filter((node) => node !== '');
const HERE = dirname(process.execPath);
const IN_PACKAGE = /^(?:bin\/faregate|(?:dist|console\/dist)\/.+|package\.json|README\.md|LICENSE|CHANGELOG\.md)$/;
const UNWANTED = /\.ts$|\.test\.|\.map$|^console\/dist\/\.vite\//;

/** Fifteen commands are fifteen processes. */
const LONG = { timeout: 600_000 };

let directory: string;
let tarball: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'faregate-tarball-'));
  const { status, stderr } = spawnSync(process.execPath, ['tools/build-package.ts'], { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  tarball = pack(directory, { isBuilt: true });
}, LONG.timeout);
afterAll(() => rmSync(directory, { recursive: true }));

/** The log's lines that are no plain information, and whatever is no line of the log. */
function complaints(stderr: string): readonly string[] {
  return stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{"level":"info",'));
}

/** A workspace with credit and a key by commands, and an answer that its receipt charges. */
async function billOneAnswer(folder: InstalledPackage, { url }: StartedPackage, faregate: readonly string[]) {
  const run = (...args: string[]): string => {
    const { stdout, stderr } = folder.run(...faregate, ...args);
    expect(stderr).toBe('');
    return stdout;
  };
  run('workspace', 'create', 'acme');
  run('credit', 'grant', 'acme', '10', '--reason', 'first credit');
  run('project', 'create', 'acme', 'web');
  const { key } = JSON.parse(run('key', 'create', 'acme/web', '--json')) as { readonly key: string };
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sandbox/echo', messages: [{ role: 'user', content: 'Hello, package' }] }),
  });
  expect(await response.json()).toMatchObject({ choices: [{ message: { content: 'Hello, package' } }] });
  const receipt = run('receipt', response.headers.get('x-request-id') ?? '', '--json');
  expect(JSON.parse(receipt)).toMatchObject({ outcome: 'completed', charge_usd: expect.stringMatching(/^0\.0*[1-9]/) });
  expect(run('ledger', 'verify')).toContain('differences    0');
  const [page, manual] = await Promise.all([fetch(url), fetch(`${url}/docs`)]);
  expect(await page.text()).toContain('<script type="module"');
  expect(await manual.text()).toContain('Quick start');
}

test('the package has the program as JavaScript, its SQL and the console, and nothing of tests or tools', () => {
  const paths = pathsIn(tarball);
  expect(paths.filter((path) => !IN_PACKAGE.test(path) || UNWANTED.test(path))).toEqual([]);
  expect(paths).toEqual(
    expect.arrayContaining(['dist/main.js', 'dist/serve.js', 'dist/program/database/functions/draw.sql']),
  );
});

test(
  'the package serves a billed answer from an empty folder, without a warning, and stops cleanly',
  LONG,
  async () => {
    const folder = new InstalledPackage(HERE);
    try {
      folder.lay(tarball);
      const faregate = ['node_modules/.bin/faregate'];
      const started = await folder.start(...faregate, 'start');
      await billOneAnswer(folder, started, faregate);
      const { code, stdout, stderr } = await started.stop();
      expect({ code, complaints: complaints(stderr) }).toEqual({ code: 0, complaints: [] });
      expect(stdout).toContain('node_modules/.bin/faregate receipt --last');
    } finally {
      folder.dispose();
    }
  },
);

describe.runIf(NODES.length > 0)('as npm installs it', () => {
  test('npm pack makes the same bytes twice', LONG, () => {
    const [first, second] = ['first', 'second'].map((name) => {
      const packed = pack(mkdtempSync(join(directory, `${name}-`)), { isBuilt: false });
      return readFileSync(packed);
    });
    expect(first?.equals(second ?? Buffer.alloc(0))).toBe(true);
    tarball = pack(directory, { isBuilt: true });
  });

  test.each(NODES)('the package serves one process and several on %s, by npx', LONG, async (node) => {
    const folder = new InstalledPackage(node);
    try {
      const { stderr } = folder.install(tarball);
      expect(stderr).not.toMatch(/EBADENGINE|deprecated|ERR/);
      const faregate = ['npx', 'faregate'];
      for (const args of [[], ['--workers', '2', '--data', 'other']]) {
        const started = await folder.start(...faregate, 'start', ...args);
        const data = args.length === 0 ? [] : ['--data', 'other'];
        await billOneAnswer(folder, started, [...faregate, ...data]);
        // What npx ends with after Ctrl-C depends on its version; a program that was killed leaves its server's mark.
        const mark = join(data[1] ?? 'data', 'postgres/postmaster.pid');
        expect(folder.has(mark)).toBe(true);
        const ended = await started.stop();
        expect({ isMarked: folder.has(mark), complaints: complaints(ended.stderr) }).toEqual({
          isMarked: false,
          complaints: [],
        });
        expect(ended.stdout).toContain(`npx faregate ${[...data, ''].join(' ')}receipt --last`);
      }
    } finally {
      folder.dispose();
    }
  });
});
