import type { Permission, Role } from './roles.ts';
import type { Withheld } from './withheld.ts';

/**
 * What an operator token may do: everything; read what pages show; or that and backups, whose reader could take any
 * right.
 */
export type OperatorAccess = 'all' | 'read' | 'read_and_backup';

/** The operator, by one of the operator tokens. */
export interface OperatorActor {
  readonly kind: 'operator';
  /** The token's id; null for the instance's own token. */
  readonly tokenId: string | null;
  readonly name: string;
  readonly access: OperatorAccess;
}

/** A user in a browser. */
export interface SessionActor {
  readonly kind: 'session';
  readonly sessionId: string;
  readonly userId: string;
  readonly email: string;
  /** The user may do what an operator token may. */
  readonly isOperator: boolean;
  /** When the user last proved their identity; milliseconds. */
  readonly authenticatedAtMs: number;
  /** The role in each workspace, by the workspace's id. */
  readonly roles: ReadonlyMap<string, Role>;
  /** The workspaces in which the user has a role that does not count in this session, and why. */
  readonly withheld: ReadonlyMap<string, Withheld>;
  /** The workspace at whose OpenID provider the user has signed in; null: at none. */
  readonly providerId: string | null;
}

/** A program of a member's, with a part of the member's role in one workspace. */
export interface TokenActor {
  readonly kind: 'access_token';
  readonly tokenId: string;
  readonly userId: string;
  readonly email: string;
  readonly workspaceId: string;
  readonly role: Role;
  /** Why the token does not count now; null: it does. */
  readonly withheld: Withheld | null;
  readonly scopes: ReadonlySet<Permission>;
}

/** Scheduled work of the instance's own, or its first start. */
export interface JobActor {
  readonly kind: 'job';
  readonly name: string;
}

/** Everyone who uses the control plane. */
export type Actor = OperatorActor | SessionActor | TokenActor | JobActor;

/** One request of an actor, as an audit event names it. */
export interface Act {
  readonly actor: Actor;
  /** The caller's network address; null for jobs. */
  readonly address: string | null;
  /** The `x-request-id`; null for jobs. */
  readonly requestId: string | null;
}

/** Whether the actor operates the instance, by a token or in a session. */
export function isOperator(actor: Actor): boolean {
  return actor.kind === 'operator' || (actor.kind === 'session' && actor.isOperator);
}

/** How an audit event or a posting names the actor: the user's email, `operator`, or the job's name. */
export function actorName(actor: Actor): string {
  if (actor.kind === 'operator' || actor.kind === 'job') return actor.name;
  return actor.email;
}

/** The user behind the actor; null if there is none. */
export function actingUser(actor: Actor): string | null {
  return actor.kind === 'session' || actor.kind === 'access_token' ? actor.userId : null;
}
