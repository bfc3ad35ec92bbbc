import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { RECORDED_IN } from './recorded-statements.ts';

// Loaded before a run of tests (node --import), it records each statement that the program's own code sends, in a file of this
// process. What tests send by themselves is left out.

const directory = process.env[RECORDED_IN] ?? '';
/** What hands statements on, whoever has them. */
const PLUMBING = /\/src\/(?:program\/database\/(?:pool|connection)|lib\/control-sql)\.ts/;
const FRAME = /\/(?:src|test|tools)\/[^ )]*\.ts/;
const OWN_CODE = /\/src\/(?![^ )]*\.test\.ts)/;
const FRAMES_MAX = 60;

Error.stackTraceLimit = FRAMES_MAX;
const file = join(directory, `${process.pid}.jsonl`);
const recorded = new Set<string>();
const send = Reflect.get(pg.Client.prototype, 'query') as (...given: readonly unknown[]) => unknown;
pg.Client.prototype.query = function query(this: pg.Client, ...given: readonly unknown[]) {
  const [config] = given as readonly [{ readonly text?: string } | string];
  const text = typeof config === 'string' ? config : config.text;
  if (text !== undefined && !recorded.has(text) && isOwn(new Error('for its stack').stack ?? '')) {
    recorded.add(text);
    appendFileSync(file, `${JSON.stringify(text)}\n`);
  }
  return Reflect.apply(send, this, given);
} as typeof pg.Client.prototype.query;

/** Whether the program's code has the statement, by the first frame that has a part in it. */
function isOwn(stack: string): boolean {
  const frames = stack.split('\n').filter((line) => FRAME.test(line) && !line.includes(import.meta.filename));
  return OWN_CODE.test(frames.find((line) => !PLUMBING.test(line)) ?? '');
}
