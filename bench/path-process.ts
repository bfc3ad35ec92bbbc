import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as WarmTraffic from '../src/program/app/warm-up/warm-traffic.ts';
import type * as WarmUp from '../src/program/app/warm-up/warm-up.ts';
import type * as LoadConfig from '../src/config/load-config.ts';
import { answerCalls } from './child-calls.ts';
import { listenBarely } from './pass-through.ts';

// What the path of a request costs without what moves between processes: callers, gateway and upstream share this process and its
// event loop, by the requests that a start serves of its own, and receipts go to no database. So nothing waits for another process
// or for a core, and CPU times on a machine with much other work differ by a few percent.

/** Whose path: that of the program in this folder, or of the bare pass-through. */
export interface PathPlan {
  readonly root: string;
  readonly isBare: boolean;
}

const NEVER = new AbortController().signal;
const TIME_MS_MAX = 600_000;

let port = 0;
let send: typeof WarmTraffic.sendWarmRequests;

function load<Module>(root: string, file: string): Promise<Module> {
  return import(pathToFileURL(join(root, 'src', file)).href) as Promise<Module>;
}

answerCalls({
  async prepare({ root, isBare }: PathPlan) {
    const traffic = await load<typeof WarmTraffic>(root, 'program/app/warm-up/warm-traffic.ts');
    const closing = new AsyncDisposableStack();
    send = traffic.sendWarmRequests;
    if (isBare) {
      port = await listenBarely(new URL(await traffic.startWarmUpstream(closing)).origin);
      return;
    }
    const { openWarmServer } = await load<typeof WarmUp>(root, 'program/app/warm-up/warm-up.ts');
    const { loadConfig } = await load<typeof LoadConfig>(root, 'config/load-config.ts');
    port = await openWarmServer(loadConfig({ flags: {}, env: {}, cwd: '/nowhere' }), closing);
  },
  /** Serves so many requests; microseconds of CPU for each. */
  async burst(requests: number) {
    const before = process.cpuUsage();
    // Former versions end by a time.
    const plan = { requests, signal: NEVER, untilMs: performance.now() + TIME_MS_MAX };
    const answered = await send(port, plan);
    const { user, system } = process.cpuUsage(before);
    if (answered < requests) throw new Error(`${answered} of ${requests} requests were answered`);
    return (user + system) / requests;
  },
});
