import { createIdentify, type Identify } from '../../src/control/admin/identify.ts';
import type { IdentityDependencies } from '../../src/control/admin/identity/identity-dependencies.ts';
import type { Actor } from '../../src/domain/actor.ts';
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
