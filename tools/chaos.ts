import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { endWithUsage, toolArguments } from './tool-arguments.ts';

// Lets failures befall four gateways for as long as one likes: npm run chaos -- --seconds 60 --seed 7

const USAGE = 'usage: chaos.ts [--seconds N] [--seed N]';

const { values } = toolArguments(USAGE, { options: { seconds: { type: 'string' }, seed: { type: 'string' } } });
const seconds = Number(values.seconds ?? 60);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
if (!(seconds > 0) || !Number.isSafeInteger(seed))
  endWithUsage(USAGE, '--seconds must be above 0, and --seed a whole number.');

console.log(`the same again: npm run chaos -- --seconds ${seconds} --seed ${seed}`);
const env = { ...process.env, CHAOS_SECONDS: String(seconds), CHAOS_SEED: String(seed) };
const child = spawn('vitest', ['run', 'test/chaos'], { env, stdio: 'inherit' });
const [code] = (await once(child, 'exit')) as [number | null];
process.exitCode = code ?? 1;
