import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installedOnce, run } from './installed-once.ts';

// Writes the JSON schemas of Open Responses that tests validate by, from the models that open-responses/requirements.txt
// names. Needs Python and is run by hand, for a new release of the standard.

const REQUIREMENTS = 'tools/open-responses/requirements.txt';
const ROOT = join(import.meta.dirname, '..');

const environment = installedOnce('open-responses', REQUIREMENTS, (directory) => {
  run('python3', ['-m', 'venv', directory]);
  run(join(directory, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', '--requirement', REQUIREMENTS]);
});
const schemas = execFileSync(join(environment, 'bin/python'), ['tools/open-responses/schemas.py'], { cwd: ROOT });
writeFileSync(join(ROOT, 'test/fixtures/open-responses.schema.json'), schemas);
