import { execFileSync } from 'node:child_process';
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { provenanceOf } from './provenance.ts';

// Makes what a release has beside its tarball, in release/: the bill of materials, the provenance, checksums, and a signature
// of each file by the key in PEM that FAREGATE_RELEASE_KEY names. `cosign verify-blob` and OpenSSL verify them without a network.

const ROOT = join(import.meta.dirname, '..');
const OUTPUT = join(ROOT, 'release');
const [tarball] = process.argv.slice(2);
const keyFile = process.env['FAREGATE_RELEASE_KEY'];
if (tarball === undefined || keyFile === undefined) {
  throw new Error('say which tarball: FAREGATE_RELEASE_KEY=release.key npm run release:sign -- faregate-VERSION.tgz');
}
const key = createPrivateKey(readFileSync(keyFile));
if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw new Error(`${keyFile} is no key of the curve P-256`);

const digestOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');
const git = (...words: string[]): string => execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).trim();
if (git('status', '--porcelain', '--untracked-files=no') !== '')
  throw new Error('the checkout has changes: commit them');

mkdirSync(OUTPUT, { recursive: true });
const files = [basename(tarball), 'sbom.cdx.json', 'provenance.json'].map((name) => join(OUTPUT, name));
const [copy = '', bill = '', provenance = ''] = files;
writeFileSync(copy, readFileSync(tarball));
execFileSync('npm', ['run', '--silent', 'sbom', '--', bill], { cwd: ROOT, stdio: 'inherit' });
const statement = provenanceOf({
  tarball: { name: basename(copy), sha256: digestOf(copy) },
  commit: git('rev-parse', 'HEAD'),
  lockfile: digestOf(join(ROOT, 'package-lock.json')),
});
writeFileSync(provenance, `${JSON.stringify(statement, null, 2)}\n`);
const sums = join(OUTPUT, 'SHA256SUMS');
writeFileSync(sums, files.map((file) => `${digestOf(file)}  ${basename(file)}\n`).join(''));
for (const file of [...files, sums]) {
  writeFileSync(`${file}.sig`, sign('sha256', readFileSync(file), key).toString('base64'));
}
writeFileSync(join(OUTPUT, 'release.pub'), createPublicKey(key).export({ type: 'spki', format: 'pem' }));
console.log(`release/ has ${files.length + 1} files, each with a signature, and the public key.`);
