import { join } from 'node:path';
import { installedOnce, ROOT, run, runTest } from './installed-once.ts';

// Runs the test with Go's clients, which takes Go and some minutes to compile them.

const clients = installedOnce('go-clients', 'test/sdk/go/main.go', (directory) => {
  run('go', ['build', '-o', join(directory, 'clients'), '.'], join(ROOT, 'test/sdk/go'));
});
runTest('test/sdk/go-clients.test.ts', { FAREGATE_GO: join(clients, 'clients') });
