import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installedOnce, ROOT, run } from './installed-once.ts';

// Writes the npm package's bill of materials: what it installs, by CycloneDX's own tool, which validates it against the schema.
// The tool is 150 packages, so it is installed apart. It reads package-lock.json alone, so every platform writes the same.

const LIST = 'tools/release/sbom-tool.json';
const [output = 'sbom.cdx.json'] = process.argv.slice(2);

const versions = JSON.parse(readFileSync(join(ROOT, LIST), 'utf8')) as Readonly<Record<string, string>>;
const directory = installedOnce('sbom-tool', LIST, (empty) => {
  const packages = Object.entries(versions).map(([name, version]) => `${name}@${version}`);
  run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', empty, ...packages], empty);
});
const what = [
  '--package-lock-only',
  '--omit',
  'dev',
  '--no-workspaces',
  '--flatten-components',
  '--output-reproducible',
];
run(join(directory, 'node_modules/.bin/cyclonedx-npm'), [...what, '--validate', '--output-file', output]);
console.log(`${output} is a valid bill of materials.`);
