import packageJson from '../../package.json' with { type: 'json' };
import { WorkerLink } from '../process/worker-link.ts';
import { work } from './worker.ts';

// Where a worker's process begins. Its supervisor starts it.

await work(new WorkerLink(packageJson.version));
