import { setTimeout as delay } from 'node:timers/promises';
import type { AdminClient } from '../../src/control/admin/client.ts';
import { AdminRefused, AdminUnreachable } from '../../src/control/admin/client/send.ts';
import type { Random } from '../simulation/random.ts';
import type { Account } from '../support/accounts.ts';
import type { Fleet, Gateway } from './fleet.ts';
import { ask, type Seen } from './load.ts';

// Operators who go on changing an account by the admin APIs of all gateways while failures befall them.

/** Far longer than a change takes to reach every process, for the sake of busy machines. */
const REACHES_ALL_MS = 5_000;
const GRANT_USD = '0.01';

export interface Changes {
  /** What the requests by keys that were made and revoked have got. */
  readonly seen: readonly Seen[];
  /** What was not as it must be. */
  readonly wrong: readonly string[];
  stop(): Promise<void>;
}

/** Changes limits, budgets, keys and credit of an account, one thing after the other, until it is stopped. */
export function changeThings(fleet: Fleet, account: Account, random: Random): Changes {
  const operator = new Operator(fleet, account, random);
  const state = { isStopped: false };
  const run = async (): Promise<void> => {
    while (!state.isStopped) {
      await operator.changeSomething();
      await delay(random.between(20, 200));
    }
  };
  const running = run();
  return {
    seen: operator.seen,
    wrong: operator.wrong,
    async stop() {
      state.isStopped = true;
      await running;
    },
  };
}

class Operator {
  readonly seen: Seen[] = [];
  readonly wrong: string[] = [];
  readonly #fleet: Fleet;
  readonly #account: Account;
  readonly #random: Random;
  #grants = 0;

  constructor(fleet: Fleet, account: Account, random: Random) {
    this.#fleet = fleet;
    this.#account = account;
    this.#random = random;
  }

  /** A gateway that a failure befell may refuse or lose a change; any other makes it. */
  async changeSomething(): Promise<void> {
    const gateway = this.#random.pick(this.#fleet.gateways);
    const before = gateway.hits;
    if (before % 2 === 1 || !gateway.isServing) return;
    const change = this.#random.pick(['limits', 'grant', 'key'] as const);
    const admin = gateway.program.admin;
    try {
      if (change === 'limits') await this.#setLimits(admin);
      if (change === 'grant') await this.#grantOnce(admin);
      if (change === 'key') await this.#makeAndRevokeKey(admin);
    } catch (fault) {
      const isExcused = fault instanceof AdminUnreachable || (fault instanceof AdminRefused && fault.status === 503);
      if (!isExcused || gateway.hits === before) this.wrong.push(`${change}: ${String(fault)}`);
    }
  }

  async #setLimits(admin: AdminClient): Promise<void> {
    const budget = this.#random.pick(['90', '100', '110']);
    const perMinute = this.#random.pick([900_000, 1_000_000]);
    const changed = await admin.updateProject(this.#account.project.id, {
      budget_usd: budget,
      requests_per_minute: perMinute,
    });
    if (changed.requests_per_minute !== perMinute) this.wrong.push('a limit is not what it was set to');
  }

  async #grantOnce(admin: AdminClient): Promise<void> {
    this.#grants += 1;
    const once = `grant ${this.#grants}`;
    const body = { kind: 'grant', amount_usd: GRANT_USD, reason: 'chaos', once } as const;
    const first = await admin.postCredit(this.#account.workspace.id, body);
    const again = await admin.postCredit(this.#account.workspace.id, body);
    if (again.id !== first.id || !again.repeated) this.wrong.push(`${once} was posted twice`);
  }

  async #makeAndRevokeKey(admin: AdminClient): Promise<void> {
    const { id, key } = await admin.createKey(this.#account.project.id, { spend_limit_usd: '1' });
    for (const gateway of this.#fleet.gateways) {
      if (gateway.isServing) this.seen.push(await ask(gateway, key));
    }
    await admin.revokeKey(id);
    await Promise.all(this.#fleet.gateways.map((gateway) => this.#expectRefused(gateway, key)));
  }

  async #expectRefused(gateway: Gateway, key: string): Promise<void> {
    const before = gateway.hits;
    const untilMs = performance.now() + REACHES_ALL_MS;
    for (;;) {
      const one = gateway.isServing ? await ask(gateway, key) : null;
      // One that a failure befell may be out of touch until its epoch's time is up.
      if (one === null || one.status === 401 || one.wasHit || gateway.hits !== before) return;
      this.seen.push(one);
      if (performance.now() > untilMs) this.wrong.push(`a revoked key got ${one.status} ${one.code ?? ''}`);
      if (performance.now() > untilMs) return;
      await delay(50);
    }
  }
}
