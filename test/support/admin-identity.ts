import { createIdentify, type Identify } from '../../src/control/admin/identify.ts';
import type { IdentityDependencies } from '../../src/control/admin/identity/identity-dependencies.ts';
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

/** Identifies callers, of whom the one with this token is the operator. */
export function identifyOwn(sql: ControlSql, token: string, publicUrl: string | null = null): Identify {
  return createIdentify({ sql, isOwnToken: (given) => Promise.resolve(given === token), publicUrl });
}
