import { type Act, isOperator, type OperatorAccess, type SessionActor, type TokenActor } from './actor.ts';
import { refuse, type Refusal } from './refusals.ts';
import { type Withheld, WITHHELD } from './withheld.ts';
import { isReading, type Permission, reachOf, type Role, rolesWith } from './roles.ts';

interface Rights {
  readonly act: Act;
  readonly permission: Permission;
  readonly workspaceId: string;
  readonly ownOnlyOf: string | null;
}

// Assigned in the classes' static blocks, since constructors are private.
let makeScope: (rights: Rights) => WorkspaceScope;
let makeOperatorScope: (act: Act) => OperatorScope;

/**
 * The right to use one permission in one workspace. Every function that reads or changes a workspace's rows for the
 * control plane takes one. Only `authorise` makes it, so code that skips the check does not compile.
 */
export class WorkspaceScope {
  readonly #rights: Rights;

  private constructor(rights: Rights) {
    this.#rights = rights;
  }

  static {
    makeScope = (rights) => new WorkspaceScope(rights);
  }

  get workspaceId(): string {
    return this.#rights.workspaceId;
  }

  get permission(): Permission {
    return this.#rights.permission;
  }

  get act(): Act {
    return this.#rights.act;
  }

  /** The user whose own things the permission is limited to; null if it covers everything in the workspace. */
  get ownOnlyOf(): string | null {
    return this.#rights.ownOnlyOf;
  }
}

/** The right to use what belongs to the whole instance. Only `authoriseOperator` makes it. */
export class OperatorScope {
  readonly #act: Act;

  private constructor(act: Act) {
    this.#act = act;
  }

  static {
    makeOperatorScope = (act) => new OperatorScope(act);
  }

  get act(): Act {
    return this.#act;
  }
}

/** The refusal for non-members: the same whether the workspace exists or not. */
function noWorkspace(): Refusal {
  return refuse('NOT_FOUND', 'There is no such workspace.');
}

function readOnlyToken(): Refusal {
  return refuse('FORBIDDEN', 'This operator token is read-only.');
}

function missingRole(role: Role, permission: Permission): Refusal {
  const roles = rolesWith(permission);
  const holders = roles.length === 0 ? 'only the operator has it' : `it takes ${roles.join(' or ')}`;
  return refuse('FORBIDDEN', `Your role here, ${role}, does not include ${permission}: ${holders}.`);
}

/** Whether the act may use this permission in the workspace with this id: the scope, or 404, or 403. */
export function authorise(act: Act, permission: Permission, workspaceId: string): WorkspaceScope | Refusal {
  const { actor } = act;
  const scope = (ownOnlyOf: string | null = null): WorkspaceScope =>
    makeScope({ act, permission, workspaceId, ownOnlyOf });
  if (actor.kind === 'job') return scope();
  if (actor.kind === 'operator') return actor.access !== 'all' && !isReading(permission) ? readOnlyToken() : scope();
  if (actor.kind === 'session' && actor.isOperator) return scope();
  const withheld = withheldFrom(actor, workspaceId);
  if (withheld !== null) return refuse('FORBIDDEN', WITHHELD[withheld], { param: withheld });
  const role = roleIn(actor, workspaceId);
  if (role === undefined) return noWorkspace();
  const reach = reachOf(role, permission);
  if (reach === 'none') return missingRole(role, permission);
  if (actor.kind === 'access_token' && !actor.scopes.has(permission)) {
    return refuse('FORBIDDEN', `This access token does not have the scope ${permission}.`);
  }
  return scope(reach === 'own' ? actor.userId : null);
}

function withheldFrom(actor: SessionActor | TokenActor, workspaceId: string): Withheld | null {
  if (actor.kind === 'session') return actor.withheld.get(workspaceId) ?? null;
  return actor.workspaceId === workspaceId ? actor.withheld : null;
}

function roleIn(actor: SessionActor | TokenActor, workspaceId: string): Role | undefined {
  if (actor.kind === 'session') return actor.roles.get(workspaceId);
  return actor.workspaceId === workspaceId ? actor.role : undefined;
}

/** The refusal of an operation that has no answer of a member's own things alone; null if the scope covers everything. */
export function refusalOfOwnOnly({ act, permission, workspaceId, ownOnlyOf }: WorkspaceScope): Refusal | null {
  const { actor } = act;
  if (ownOnlyOf === null || (actor.kind !== 'session' && actor.kind !== 'access_token')) return null;
  const role = roleIn(actor, workspaceId);
  return refuse('FORBIDDEN', `Your role here, ${role}, includes ${permission} for what is your own alone.`);
}

/**
 * The user whose own things alone the scope's actor reaches by another permission; null if that is everything, or nothing. An access
 * token has the limits of its member's role, whatever its scopes are.
 */
export function ownOnlyBy({ act: { actor }, workspaceId }: WorkspaceScope, permission: Permission): string | null {
  if (actor.kind === 'job' || actor.kind === 'operator' || isOperator(actor)) return null;
  const role = roleIn(actor, workspaceId);
  return role !== undefined && reachOf(role, permission) === 'own' ? actor.userId : null;
}

/**
 * Whether the permission limits what the act creates to a member's own things: the role has the permission only for
 * these, or not at all. An access token has the limits of its member's role, whatever its scopes are.
 */
export function isForOwnOnly({ actor }: Act, permission: Permission, workspaceId: string): boolean {
  if (actor.kind === 'job' || isOperator(actor) || actor.kind === 'operator') return false;
  const role = roleIn(actor, workspaceId);
  return role === undefined || reachOf(role, permission) !== 'all';
}

/** Whether providers' costs may be shown: only to the operator, of one workspace and of all. */
export function seesCosts(scope: WorkspaceScope | OperatorScope): boolean {
  return scope instanceof OperatorScope || isOperator(scope.act.actor);
}

/** A right of the operator's: to read what pages show, to change something, or to download everything. */
export type OperatorRight = 'read' | 'write' | 'back_up';

const RIGHTS_OF_TOKENS: Readonly<Record<OperatorAccess, readonly OperatorRight[]>> = {
  all: ['read', 'write', 'back_up'],
  read: ['read'],
  read_and_backup: ['read', 'back_up'],
};

/** Whether the act is of an operator with this right. Others get 403. */
export function authoriseOperator(act: Act, right: OperatorRight): OperatorScope | Refusal {
  const { actor } = act;
  if (actor.kind === 'job' || (actor.kind === 'session' && actor.isOperator)) return makeOperatorScope(act);
  if (actor.kind !== 'operator') return refuse('FORBIDDEN', 'Only the operator of this instance may do this.');
  if (RIGHTS_OF_TOKENS[actor.access].includes(right)) return makeOperatorScope(act);
  return right === 'write' ? readOnlyToken() : refuse('FORBIDDEN', 'This operator token is not for backups.');
}
