import { createIdentify, type Identify } from '../../src/control/admin/identify.ts';
import type { IdentityDependencies } from '../../src/control/admin/identity/identity-dependencies.ts';
import type { Actor, SessionActor } from '../../src/domain/actor.ts';
import { refuse } from '../../src/domain/refusals.ts';
import { TargetNetwork } from '../../src/lib/target-network.ts';
import type { ControlSql } from '../../src/lib/control-sql.ts';
import { identityParts } from './identity.ts';

/** The parts of the admin app about people, as tests of other things want them. */
export function adminIdentity(sql: ControlSql, own: Partial<IdentityDependencies> = {}): IdentityDependencies {
  return {
    ...identityParts(sql).parts,
    sql,
    openId: null,
    providers: { find: () => Promise.resolve(null) },
    providerNetwork: new TargetNetwork([]),
    resolveTxt: () => Promise.reject(new Error('no DNS')),
    configuredUrl: null,
    rotateOwnToken: () => Promise.resolve('a new token'),
    later: (work) => void work(),
    ...own,
  };
}

/** Ada in a session of hers, without a role unless given one. */
export function sessionActor(own: Partial<SessionActor> = {}): SessionActor {
  return {
    kind: 'session',
    sessionId: 's',
    userId: '0193a7a0-0000-7000-8000-000000000002',
    email: 'ada@example.com',
    isOperator: false,
    authenticatedAtMs: Date.now(),
    roles: new Map(),
    withheld: new Map(),
    providerId: null,
    ...own,
  };
}

/** Identifies callers by what they send as `authorization`. */
export function identifyAs(actors: ReadonlyMap<string, Actor>): Identify {
  return ({ authorization = '' }) => {
    const actor = actors.get(authorization);
    const act = actor === undefined ? null : { actor, address: null, requestId: null };
    return Promise.resolve(act ?? refuse('UNAUTHENTICATED', 'Sign in.'));
  };
}

/** Identifies callers, of whom the one with this token is the operator. */
export function identifyOwn(sql: ControlSql, token: string, publicUrl: string | null = null): Identify {
  return createIdentify({ sql, isOwnToken: (given) => Promise.resolve(given === token), publicUrl });
}
