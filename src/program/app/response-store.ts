import type { Config, ResponsesConfig } from '../../config/config.ts';
import type { StoreLimits } from '../database/keep-arguments.ts';
import { ResponseKeeper } from '../database/response-keeper.ts';
import { PostgresResponseStore } from '../database/response-store.ts';
import type { Keyring } from '../../control/encryption/keyring.ts';
import type { Observer } from '../../gate/gateway/observer.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ControlSql } from '../../lib/control-sql.ts';
import type { Sql } from '../../lib/sql.ts';
import { EVENT_LOOP } from '../../gate/turns/stages.ts';

/** The store of responses that requests may refer to. */
export function openResponseStore(
  { responses }: Config,
  {
    observer,
    sql,
    control,
    keyring,
    clock,
  }: {
    readonly sql: Sql;
    readonly control: ControlSql;
    readonly keyring: Keyring;
    readonly clock: Clock;
    readonly observer: Observer;
  },
): PostgresResponseStore {
  const keeper = new ResponseKeeper({
    sql,
    keyring,
    clock,
    turns: EVENT_LOOP,
    onLost: (requestId, reason) => observer.responseLost(requestId, reason),
  });
  return new PostgresResponseStore({ sql, control, keyring, keeper, clock, limits: storeLimits(responses) });
}

export function storeLimits({ storeForMs: keepMs, storeBytesMax: bytesMax }: ResponsesConfig): StoreLimits {
  return { keepMs, bytesMax };
}
