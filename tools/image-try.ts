import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { installedOnce, ROOT, run, runTest } from './installed-once.ts';

// Builds the image with buildah, on a base of Debian's packages and this checkout's Node, and tries it with crun. Needs Linux,
// root, and Debian's buildah, crun and mmdebstrap.

/** The machine's own sources of Debian's packages. */
const SOURCES = ['/etc/apt/sources.list.d/debian.sources', '/etc/apt/sources.list'];
const LIST = 'test/deploy/image-base.json';
const BASE = 'localhost/faregate-base';
const IMAGE = 'localhost/faregate-try';
/** Where this machine has its certificates, and the base has them too. */
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
/** Of the machine that users build on, where npm is as in images of Node. */
const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

function output(program: string, parameters: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, parameters, { cwd: ROOT, encoding: 'utf8' });
  if (status === 0) return stdout.trim();
  console.error(`"${program} ${parameters.join(' ')}" failed: ${stderr}`);
  process.exit(1);
}

/** Arguments of buildah that keep its images in this directory. */
function storedIn(directory: string): readonly string[] {
  return ['--root', join(directory, 'images'), '--runroot', join(directory, 'run'), '--storage-driver', 'vfs'];
}

const npm = output('sh', ['-c', 'command -v npm']);

const store = installedOnce('image-base', LIST, (directory) => {
  const { suite, packages } = JSON.parse(readFileSync(join(ROOT, LIST), 'utf8')) as {
    readonly suite: string;
    readonly packages: readonly string[];
  };
  const tree = join(directory, 'base.tar');
  const without = ['man', 'doc', 'locale'].map((folder) => `--dpkgopt=path-exclude=/usr/share/${folder}/*`);
  run('mmdebstrap', [
    '--variant=minbase',
    `--include=${packages.join(',')}`,
    ...without,
    suite,
    tree,
    SOURCES.find((path) => existsSync(path)) ?? '',
  ]);
  const buildah = (...parameters: readonly string[]): string =>
    output('buildah', [...storedIn(directory), ...parameters]);
  const container = buildah('from', 'scratch');
  buildah('add', container, tree, '/');
  buildah('add', container, process.execPath, '/usr/local/bin/node');
  buildah('add', container, join(dirname(realpathSync(npm)), '..'), '/usr/local/lib/node_modules/npm');
  buildah('add', container, CERTIFICATES, CERTIFICATES);
  const link = ['ln', '-s', '../lib/node_modules/npm/bin/npm-cli.js', '/usr/local/bin/npm'];
  buildah('run', '--isolation', 'chroot', container, ...link);
  buildah('config', '--env', `PATH=${SYSTEM_PATH}`, container);
  buildah('commit', '--rm', container, BASE);
  rmSync(tree);
});

const buildah = (...parameters: readonly string[]): string => output('buildah', [...storedIn(store), ...parameters]);
const secrets = mkdtempSync(join(tmpdir(), 'faregate-image-'));
const tarballs = (): readonly string[] => readdirSync(ROOT).filter((name) => /^faregate-.*\.tgz$/.test(name));
for (const tarball of tarballs()) rmSync(join(ROOT, tarball));
run('npm', ['pack', '--silent']);
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly version: string };
const npmrc = join(secrets, 'npmrc');
writeFileSync(npmrc, `cafile=${CERTIFICATES}\nupdate-notifier=false\n`);

process.on('exit', () => {
  rmSync(secrets, { recursive: true });
  for (const tarball of tarballs()) rmSync(join(ROOT, tarball));
});

const beganMs = performance.now();
// Without chroot isolation a build needs an engine's privileges; without Docker's format the image has no check of its health.
const files = ['--file', 'deploy/image/Dockerfile', '--ignorefile', 'deploy/image/Dockerfile.dockerignore'];
const given = ['--build-arg', `BASE=${BASE}`, '--build-arg', `VERSION=${version}`, '--secret', `id=npmrc,src=${npmrc}`];
const how = ['--isolation', 'chroot', '--format', 'docker'];
run('buildah', [...storedIn(store), 'bud', ...how, ...files, ...given, '--tag', IMAGE, '.']);
const { Docker, Manifest } = JSON.parse(buildah('inspect', '--type', 'image', IMAGE)) as {
  readonly Docker: { readonly config: object };
  /** In JSON. */
  readonly Manifest: string;
};
const { layers } = JSON.parse(Manifest) as { readonly layers: readonly { readonly size: number }[] };
const [base = '', own = ''] = layers.map(({ size }) => `${Math.round(size / 1e6)} MB`);
console.log(
  `The image was built in ${Math.round((performance.now() - beganMs) / 1_000)} s: base ${base}, Faregate ${own}.`,
);

const container = buildah('from', IMAGE);
process.on('exit', () => {
  buildah('rm', container);
  buildah('rmi', IMAGE);
});
const root = buildah('mount', container);
runTest('test/deploy/image.test.ts', { IMAGE_ROOT: root, IMAGE_CONFIG: JSON.stringify(Docker.config) });
