import '../../lib/node-22.ts';
import { PROGRAM_VERSION } from '../../lib/program-version.ts';
import { WorkerLink } from '../process/worker-link.ts';
import { work } from './worker.ts';

// The entry point of a worker, which its supervisor starts.

await work(new WorkerLink(PROGRAM_VERSION));
