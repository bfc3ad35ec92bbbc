import type { NanoUsd } from '../../src/domain/money.ts';
import type { Principal } from '../../src/domain/principal.ts';
import { windowAt } from '../../src/domain/window.ts';
import { briefNamesOf } from '../../src/gate/purses/leases/purse-names.ts';
import type { PurseKind } from '../../src/gate/purses/ports/database.ts';
import type { HoldFailure } from '../../src/gate/purses/leases/purses.ts';
import { HOLD_WAIT_MS, type Process } from './machine.ts';
import type { SharedDatabase } from './shared-database.ts';

const DAY_MS = 86_400_000;
/** How long after a change of servers processes may still be at putting things right. */
export const TAKE_OVER_MS = 3_000;
/** How long after a row was locked a process may not have asked for it again yet. */
export const BUSY_MS = 600;

/** How much less a process may wait by its own clock, whose pace is no round number. */
const ROUNDING_MS = 0.01;

/** What a purse bounds, as counted here: from what requests were told, not from what the engine or its store say. */
export interface Subject {
  limit: NanoUsd | null;
  /** By open holds, whatever their window. */
  held: NanoUsd;
}

/** What a subject has charged in one window at most: what was lost with a process counts as well. */
export interface WindowSpending {
  readonly subject: Subject;
  charged: NanoUsd;
}

/** A request that has no answer yet, and what has been true since it came. */
export interface Pending {
  readonly principal: Principal;
  readonly process: Process;
  readonly amount: NanoUsd;
  /** The earliest and the latest that its process's clock has said meanwhile. */
  earliestMs: number;
  latestMs: number;
  spendings: ReadonlySet<WindowSpending>;
  day: number;
  everUnwell: boolean;
  /** Something was wrong somewhere, so that money may have been out of reach. */
  everDisturbed: boolean;
  everShort: boolean;
  /** No purse of it was short, whatever others waited for. */
  alwaysAffordable: boolean;
}

/** Judges refusals by what was true while the request waited. */
export class FleetOracle {
  readonly pending = new Set<Pending>();
  readonly #subjects = new Map<string, Subject>();
  readonly #spendings = new Map<string, WindowSpending>();
  readonly #database: Pick<SharedDatabase, 'sinceTakeOverMs' | 'refused' | 'busy'>;
  readonly #isCalm: () => boolean;

  constructor(database: Pick<SharedDatabase, 'sinceTakeOverMs' | 'refused' | 'busy'>, isCalm: () => boolean) {
    this.#database = database;
    this.#isCalm = isCalm;
  }

  setLimit(kind: PurseKind, id: string, limit: NanoUsd | null): void {
    const subject = this.#subjects.get(`${kind} ${id}`);
    if (subject === undefined) this.#subjects.set(`${kind} ${id}`, { limit, held: 0n });
    else subject.limit = limit;
  }

  ask(principal: Principal, process: Process, amount: NanoUsd): Pending {
    const nowMs = process.clock.nowMs();
    const pending = {
      principal,
      process,
      amount,
      earliestMs: nowMs,
      latestMs: nowMs,
      spendings: new Set(this.#spendingsOf(principal, nowMs)),
      day: Math.floor(nowMs / DAY_MS),
      everUnwell: false,
      everDisturbed: false,
      everShort: false,
      alwaysAffordable: true,
    };
    this.pending.add(pending);
    this.observe();
    return pending;
  }

  /** Sees, whenever something has happened, what may excuse a refusal of those who wait. */
  observe(): void {
    if (this.pending.size === 0) return;
    const isCalm = this.#isCalm();
    const isTakenOver = this.#database.sinceTakeOverMs < TAKE_OVER_MS;
    for (const pending of this.pending) {
      const { principal, process, amount } = pending;
      const { workspaceId, projectId, keyId } = principal;
      const subjectIds = [workspaceId, projectId, keyId];
      const isBusy = subjectIds.some((id) => this.#database.busy.has(id, BUSY_MS));
      pending.everUnwell ||=
        isBusy ||
        isTakenOver ||
        !process.isWell ||
        subjectIds.some((id) => this.#database.refused.has(id) || process.store.mayRest(id));
      pending.everDisturbed ||= isBusy || !isCalm;
      const nowMs = process.clock.nowMs();
      if (nowMs < pending.earliestMs) pending.earliestMs = nowMs;
      if (nowMs > pending.latestMs) pending.latestMs = nowMs;
      const day = Math.floor(nowMs / DAY_MS);
      if (day !== pending.day) {
        pending.day = day;
        pending.spendings = new Set([...pending.spendings, ...this.#spendingsOf(principal, nowMs)]);
      }
      for (const { subject, charged } of pending.spendings) {
        if (subject.limit === null) continue;
        if (amount > subject.limit - charged) pending.everShort = true;
        if (amount > subject.limit - charged - subject.held) pending.alwaysAffordable = false;
      }
    }
  }

  /** What is wrong with this refusal; null where nothing is. */
  faultOf(pending: Pending, failure: HoldFailure, waitedMs: number): string | null {
    const { everUnwell, everDisturbed, everShort, alwaysAffordable } = pending;
    if (failure.kind === 'unavailable') return everUnwell ? null : 'a verdict was there to be had';
    if (failure.levels.length === 0) return 'a refusal names what is short';
    if (!failure.transient) return everShort ? null : 'refused for good although the money was not spent';
    if (waitedMs < HOLD_WAIT_MS - ROUNDING_MS) return `waited for ${waitedMs} ms only`;
    return alwaysAffordable && !everDisturbed ? 'refused although the money was there' : null;
  }

  /** Whether its money was there all the time, and in reach. */
  isAffordable({ alwaysAffordable, everUnwell, everDisturbed }: Pending): boolean {
    return alwaysAffordable && !everUnwell && !everDisturbed;
  }

  hold(spendings: Iterable<WindowSpending>, amount: NanoUsd): void {
    for (const subject of new Set([...spendings].map((spending) => spending.subject))) subject.held += amount;
  }

  charge(spendings: Iterable<WindowSpending>, amount: NanoUsd): void {
    for (const spending of spendings) spending.charged += amount;
  }

  #spendingsOf(principal: Principal, nowMs: number): readonly WindowSpending[] {
    const { workspaceId, projectId, keyId, memberLimitId, budgetPeriod } = principal;
    const brief = briefNamesOf(principal, (period) => windowAt(period, nowMs));
    const month = windowAt('month', nowMs).startMs;
    return [
      this.#spending('credit', workspaceId, 0),
      this.#spending('project', projectId, windowAt(budgetPeriod, nowMs).startMs),
      ...(memberLimitId === null ? [] : [this.#spending('member', memberLimitId, month)]),
      this.#spending('key', keyId, month),
      ...brief.map(({ kind, subjectId, windowStartMs }) => this.#spending(kind, subjectId, windowStartMs)),
    ];
  }

  #spending(kind: PurseKind, id: string, startMs: number): WindowSpending {
    const key = `${kind} ${id} ${startMs}`;
    let spending = this.#spendings.get(key);
    if (spending === undefined) {
      const subject = this.#subjects.get(`${kind} ${id}`);
      if (subject === undefined) throw new Error('there is no such subject');
      spending = { subject, charged: 0n };
      this.#spendings.set(key, spending);
    }
    return spending;
  }
}
