import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

// Native packages come as one optional dependency for each platform, and npm is too careful with them in two ways.
// Where the registry in use lacks those of other platforms, `npm install` leaves them out of the lockfile, and `npm ci`
// then refuses the lockfile as incomplete, on every platform. And it leaves out without a word those that don't
// support the Node that npm itself runs on, and warns of all others, though here nothing runs on that one. So this adds the
// missing (the version that the dependent pins, the platform that the name says), and takes `engines` away. Run it after
// `npm install`; a test in test/repository fails until then.

const LOCKFILE = join(import.meta.dirname, '../package-lock.json');

const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const PROCESSORS = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];
const LIBRARIES = new Map([
  ['gnu', 'glibc'],
  ['gnueabihf', 'glibc'],
  ['musl', 'musl'],
  ['musleabihf', 'musl'],
]);

interface LockedPackage {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

interface Lockfile {
  readonly packages: Record<string, LockedPackage>;
}

/** The folder where Node finds `name` for the package in `folder`, among the locked ones; undefined where none is. */
function locate(packages: Lockfile['packages'], folder: string, name: string): string | undefined {
  for (let at = folder; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const candidate = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (candidate in packages) return candidate;
    if (at === '') return undefined;
  }
}

function lockedEntry(name: string, version: string, dependent: LockedPackage): LockedPackage {
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) throw new Error(`${name}: ${version} is not one version`);
  const words = name.split(/[/-]/);
  const os = words.filter((word) => SYSTEMS.includes(word));
  const cpu = words.filter((word) => PROCESSORS.includes(word));
  const libc = words.flatMap((word) => LIBRARIES.get(word) ?? []);
  if (cpu.length !== 1) throw new Error(`${name}: its name says no platform`);
  return {
    version,
    cpu,
    ...(dependent.dev === true && { dev: true }),
    ...(libc.length > 0 && { libc }),
    optional: true,
    ...(os.length > 0 && { os }),
  };
}

const lockfile = JSON.parse(await readFile(LOCKFILE, 'utf8')) as Lockfile;
const added: string[] = [];
for (const [folder, dependent] of Object.entries(lockfile.packages)) {
  for (const [name, version] of Object.entries(dependent.optionalDependencies ?? {})) {
    if (locate(lockfile.packages, folder, name) !== undefined) continue;
    lockfile.packages[`node_modules/${name}`] = lockedEntry(name, version, dependent);
    added.push(`${name}@${version}`);
  }
}

const amended = Object.entries(lockfile.packages).map(([folder, locked]): [string, LockedPackage] => {
  if (folder === '') return [folder, locked];
  const { engines: _engines, ...rest } = locked;
  return [folder, rest];
});
amended.sort(([one], [other]) => one.localeCompare(other, 'en'));
await writeFile(LOCKFILE, `${JSON.stringify({ ...lockfile, packages: Object.fromEntries(amended) }, null, 2)}\n`);
console.log(`${added.length} packages added`, added.join(' '));
