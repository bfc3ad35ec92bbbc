import { assert } from '../../lib/assert.ts';
import { clearDeparting, fillDeparting, readDeparting } from './departing-rows.ts';
import { countEnding, differing, type Figures, readFigures } from './figures.ts';
import type { Landed } from './land-arrival.ts';
import { namedPrices } from './land-prices.ts';
import { MoveDelayed, MoveFailed, MoveTurned, type TripParts } from './move-parts.ts';
import { type MoveProgress, readProgress, saveProgress } from './move-progress.ts';
import { MOVED_DIGEST, MOVED_TABLES, type MovedTable, rowsOf } from './moved-tables.ts';
import type { MoveState } from './move-states.ts';
import type { Move } from './moves.ts';
import { ALL_XIDS, readRows, type XidRange } from './read-rows.ts';
import { countAll, countBefore } from './receipt-counts.ts';
import { openSecrets } from './travelling-secrets.ts';

// Sends a workspace to the other cell in rounds, each of what has changed since the one before. A round begins with what people decide
// and what is posted, as of one moment, which lands in one transaction; then come slices of receipts and all else that each request leaves, which
// land as they come: whatever a slice refers to is there. Most rounds are made while the workspace works, and the last one in its pause.

/** Once a round sends so few rows, or after so many rounds, the workspace is paused. */
const REST_MAX = 1_000;
const ROUNDS_MAX = 8;
const KEYS_PER_SLICE = 10_000;
/** Of the other cell, for rows that land while the workspace works; and in its pause. */
const LANDING_MS_MAX = 600_000;
const PAUSED_MS_MAX = 10_000;

const SLICED = MOVED_TABLES.filter(({ sends }) => sends === 'slices');

export class MoveCopy {
  readonly #parts: TripParts;
  readonly #move: Move;

  constructor(parts: TripParts, move: Move) {
    this.#parts = parts;
    this.#move = move;
  }

  /** Sends what there is, round by round, until little is left. @throws MoveDelayed, MoveFailed, MoveTurned */
  async ahead(): Promise<void> {
    const { sql } = this.#parts;
    for (let round = 0; round < ROUNDS_MAX; round += 1) if ((await this.#round()) <= REST_MAX) break;
    const progress = await readProgress(sql, this.#move);
    assert(progress.since !== null, 'a round was made');
    const counted = await countBefore(sql, this.#move.workspaceId, progress.since);
    await saveProgress(sql, this.#move, { ...progress, counted });
  }

  /** Sends the rest, which nothing changes any more. Returns what is counted in both cells. @throws MoveDelayed, MoveFailed, MoveTurned */
  async rest(): Promise<Figures> {
    const { sql } = this.#parts;
    const { workspaceId } = this.#move;
    const { since, counted } = await readProgress(sql, this.#move);
    await this.#land(since, PAUSED_MS_MAX);
    const range = { since, until: null };
    for (const table of SLICED) await this.#sendTable(table, range, { after: null });
    let there = await this.#there();
    const here = await countEnding(sql, workspaceId);
    for (const table of SLICED.filter(({ ends }) => ends === true)) {
      if (there.counts[table.table] === here[table.table]) continue;
      await this.#sendKeys(table);
      there = await this.#there();
    }
    const figures = await readFigures(sql, workspaceId, await countAll(sql, workspaceId, counted));
    const differences = differing(figures, there.figures);
    if (differences.length > 0) throw new MoveFailed(`the cells count differently: ${differences.join(', ')}.`);
    return figures;
  }

  /** Makes a round, or ends the one that is under way. Returns how many rows it has sent, but for those that are sent each time. */
  async #round(): Promise<number> {
    const { sql } = this.#parts;
    const progress = await readProgress(sql, this.#move);
    let { slices } = progress;
    let sent = 0;
    if (slices === null) {
      const until = await this.#land(progress.since, LANDING_MS_MAX);
      slices = { until, table: SLICED[0]?.table ?? '', after: null };
      await saveProgress(sql, this.#move, { ...progress, slices });
    }
    const range = { since: progress.since, until: slices.until };
    const first = SLICED.findIndex(({ table }) => table === slices.table);
    for (const [index, table] of SLICED.slice(first).entries()) {
      const after = index === 0 ? slices.after : null;
      sent += await this.#sendTable(table, range, { after, progress });
    }
    await saveProgress(sql, this.#move, { ...progress, since: slices.until, slices: null });
    return sent;
  }

  /** Sends all but the slices, and has it land. Returns the first transaction whose changes may not be among it. */
  async #land(since: string | null, answerMsMax: number): Promise<string> {
    const { sql, keyring, send } = this.#parts;
    const { id, workspaceId } = this.#move;
    const { until, rows } = await fillDeparting(sql, workspaceId, since);
    await this.#expect(rows, since);
    await this.#begin(since);
    let sent = 0;
    for (let after: bigint | null = 0n; after !== null;) {
      const { tables, keys, rows: lines, last } = await readDeparting(sql, workspaceId, after);
      after = last;
      if (last === null) break;
      const opened = await Promise.all(lines.map((line, index) => openSecrets(keyring, tables[index] ?? '', line)));
      await send('receiveRows', { move: id, tables, keys, rows: opened });
      sent += lines.length;
      await this.#note(lines.length);
    }
    if (sent !== rows) throw new MoveDelayed('the lines that it was to send are gone: they are copied once more.');
    await send('landArrival', { move: id }, answerMsMax);
    await clearDeparting(sql, workspaceId);
    return until;
  }

  /** Asks the other cell whether it can take the workspace, which goes back if not. */
  async #begin(since: string | null): Promise<void> {
    const { sql, shard, send } = this.#parts;
    const { workspaceId, id } = this.#move;
    const [known] = await sql.query<{ name: string; first: string | null; models: string[]; people: object[] }>(
      `select name, (select request_id from receipts where workspace_id = $1 order by request_id limit 1) as first,
         array(
           select distinct m from (
             select unnest(models) as m from keys where workspace_id = $1 and revoked_at is null
             union select unnest(models) from projects where workspace_id = $1 and archived_at is null
             union select model_when_spent from projects where workspace_id = $1 and archived_at is null
           ) named where m is not null and m not like '%*%'
         ) as models,
         (select coalesce(jsonb_agg(jsonb_build_object('id', users.id, 'email', email)), '[]')
          from members join users on users.id = user_id where workspace_id = $1) as people
       from workspaces where id = $1`,
      [workspaceId],
    );
    assert(known !== undefined, 'a workspace that moves is there');
    const prices = await namedPrices(sql, workspaceId, since);
    const { name, first, models, people } = known;
    const start = { move: id, shard, name, digest: MOVED_DIGEST, first_receipt: first, prices, models, people };
    const { problems } = (await send('beginArrival', start)) as { readonly problems: readonly string[] };
    if (problems.length > 0) throw new MoveFailed(problems.join(' '));
  }

  /** Sends the slices of a table, and remembers them if they belong to a round. Returns how many rows. */
  async #sendTable(
    table: MovedTable,
    range: XidRange,
    { after: first, progress }: { readonly after: readonly string[] | null; readonly progress?: MoveProgress },
  ): Promise<number> {
    const { sql, pacer, keyring, send } = this.#parts;
    const { id, workspaceId } = this.#move;
    // Rows that may change would be sent by no round, if the one that they were sent for left them out.
    const among = table.on === 'append' ? range : { ...range, until: null };
    let sent = 0;
    let after = first;
    do {
      const read = () => readRows(sql, table, { workspaceId, after, ...among });
      const slice = progress === undefined ? await read() : await pacer.slice(read);
      const rows = await Promise.all(slice.rows.map((row) => openSecrets(keyring, table.table, row)));
      if (rows.length > 0) await send('landRows', { move: id, table: table.table, rows });
      sent += rows.length;
      after = slice.next;
      await this.#note(
        rows.length,
        progress === undefined || range.until === null || after === null
          ? undefined
          : { ...progress, slices: { until: range.until, table: table.table, after } },
      );
    } while (after !== null);
    return sent;
  }

  /** Sends the keys of all rows of a table, so that all others go there. */
  async #sendKeys(table: MovedTable): Promise<void> {
    const { sql, send } = this.#parts;
    const { id, workspaceId } = this.#move;
    let after: readonly string[] | null = null;
    do {
      const { keys, next } = await readRows(
        sql,
        { ...table, columns: Object.keys(table.key).join(' '), sent: {} },
        { workspaceId, after, rowsMax: KEYS_PER_SLICE, ...ALL_XIDS },
      );
      await send('landRows', { move: id, table: table.table, rows: [], kept: { keys, after, to: next } });
      after = next;
    } while (after !== null);
  }

  /** What the other cell counts of what has landed. */
  async #there(): Promise<Landed> {
    return (await this.#parts.send('landArrival', { move: this.#move.id }, PAUSED_MS_MAX)) as Landed;
  }

  /** Notes how many rows there are to send: all that there are, before the first slice. */
  async #expect(rows: number, since: string | null): Promise<void> {
    const { sql } = this.#parts;
    const { id, workspaceId } = this.#move;
    const counts = SLICED.map((table) => `(select count(*) from ${table.table} where ${rowsOf(table)})`);
    await sql.query(
      `update workspace_moves set rows_expected = rows + $3 ${since === null ? `+ ${counts.join(' + ')}` : ''}
       where workspace_id = $1 and id = $2`,
      [workspaceId, id, rows],
    );
  }

  /** Notes rows that were sent, and how far that is. @throws MoveTurned if the workspace goes back */
  async #note(rows: number, progress?: MoveProgress): Promise<void> {
    const { id, workspaceId } = this.#move;
    const [row] = await this.#parts.sql.query<{ state: MoveState }>(
      `update workspace_moves set rows = rows + $3, progress = coalesce($4::jsonb, progress)
       where workspace_id = $1 and id = $2 returning state`,
      [workspaceId, id, rows, progress === undefined ? null : JSON.stringify(progress)],
    );
    if (row === undefined || row.state === 'returning') throw new MoveTurned('The move goes back.');
  }
}
