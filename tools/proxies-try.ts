import { run, runTest } from './installed-once.ts';

// Tries the examples of deploy/proxies with the nginx, the HAProxy and the Caddy of this machine.

run('nginx', ['-v']);
run('haproxy', ['-v']);
run('caddy', ['version']);
runTest('test/deploy/proxies.test.ts', { PROXIES_TRY: '1' });
runTest('test/deploy/cells.test.ts', {});
