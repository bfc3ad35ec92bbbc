import type { Act, SessionActor } from '../domain/actor.ts';

/** The origin of a request, before it is known whose it is. */
export interface Visitor {
  /** The network address of the caller, and its network: what an attacker has only one of. */
  readonly address: string;
  readonly network: string;
  readonly requestId: string | null;
  readonly userAgent: string | null;
}

/** One request of a signed-in user about their own account. */
export interface UserAct extends Act {
  readonly actor: SessionActor;
}
