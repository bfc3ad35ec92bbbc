import { answerCalls } from './child-calls.ts';
import { listenBarely } from './pass-through.ts';

// A process of the bare pass-through's own, so that what it costs can be counted.

answerCalls({ listen: (upstreamPort: number) => listenBarely(`http://127.0.0.1:${upstreamPort}`) });
