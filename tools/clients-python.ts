import { join } from 'node:path';
import { installedOnce, run, runTest } from './installed-once.ts';

// Runs the tests with Python's clients, 340 MB of them in a virtual environment.

const REQUIREMENTS = 'test/sdk/python/requirements.txt';

const pythonOf = (environment: string): string => join(environment, 'bin/python');

const clients = installedOnce('python-clients', REQUIREMENTS, (environment) => {
  run('python3', ['-m', 'venv', environment]);
  const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--requirement', REQUIREMENTS];
  run(pythonOf(environment), install);
});
runTest('test/sdk/other-clients.test.ts', { FAREGATE_PYTHON: pythonOf(clients) });
