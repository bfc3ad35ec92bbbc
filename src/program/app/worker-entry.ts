import packageJson from '../../../package.json' with { type: 'json' };
import { WorkerLink } from '../process/worker-link.ts';
import { work } from './worker.ts';

// The entry point of a worker, which its supervisor starts.

await work(new WorkerLink(packageJson.version));
