import { rm } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { launchChromium, unpackChromium } from '../test/support/chromium.ts';
import { keyListPaintTimes, usagePaintTimes } from '../test/support/paint-times.ts';
import { startProgram } from '../test/support/program.ts';
import { sessionCookies } from '../test/support/session-cookies.ts';
import { signedIn } from '../test/support/signed-in-person.ts';
import { countUsageIn } from '../test/support/verify-ledger.ts';
import { LARGE_LEDGER, openLargeLedger } from './large-ledger.ts';

// How long pages, lists and usage of the console take to be painted in a workspace with a million receipts and 100,000 keys. Prints
// the median of five for each, with the least and the most; in each round the browser knows none of the console's files. The first
// argument is a part of the receipts, such as 0.1; the keys are all there.

const ROUNDS = 5;
const scale = Number(process.argv[2] ?? 1);

/** The median of the rounds, the least and the most; in whole milliseconds. */
function summary(values: readonly number[]): string {
  const sorted = values.toSorted((one, other) => one - other);
  const [middle, least, most] = [Math.floor(sorted.length / 2), 0, sorted.length - 1].map((at) =>
    sorted[at]?.toFixed(0),
  );
  return `${middle} ms, ${least} … ${most}`;
}

const folder = await unpackChromium();
const program = await startProgram();
const browser = await launchChromium(folder);
try {
  const sql = await program.openDatabase();
  const size = { ...LARGE_LEDGER, receipts: Math.ceil(LARGE_LEDGER.receipts * scale) };
  const { workspace } = await openLargeLedger(sql, size);
  await sql.query(
    `update keys set expires_at = now() + (1 + abs(hashtext(id::text)) % 1000) * interval '1 hour'
     where workspace_id = $1 and abs(hashtext(name)) % 3 = 0`,
    [workspace.id],
    { statementMsMax: 600_000 },
  );
  await countUsageIn(sql)();
  await sql.query('vacuum analyze', [], { statementMsMax: 600_000 });
  const person = await signedIn(program, { workspaceId: workspace.id });
  const rounds: ReadonlyMap<string, number>[] = [];
  while (rounds.length < ROUNDS) {
    const context = await browser.newContext({ baseURL: program.url, viewport: { width: 1440, height: 900 } });
    await context.addCookies(sessionCookies(person.session, program.url));
    const page = await context.newPage();
    const opened = await usagePaintTimes(page, workspace.id);
    rounds.push(new Map([...opened, ...(await keyListPaintTimes(page, workspace.id))]));
    await context.close();
  }
  console.log(`${size.keys} keys, ${size.receipts} receipts, load ${loadavg()[0]?.toFixed(1)}`);
  for (const name of rounds[0]?.keys() ?? []) {
    console.log(`${name}: ${summary(rounds.map((times) => times.get(name) ?? Number.NaN))}`);
  }
} finally {
  await browser.close();
  await program.dispose();
  if (folder !== null) await rm(folder, { recursive: true, force: true });
}
