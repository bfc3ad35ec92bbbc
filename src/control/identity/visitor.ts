import type { Act, SessionActor } from '../../domain/actor.ts';

/** The origin of a request, before its caller is identified. */
export interface Visitor {
  readonly address: string;
  /** What a client has of addresses (`networkOf`), and what a customer of a network may have (`siteOf`). */
  readonly network: string;
  readonly site: string;
  readonly requestId: string | null;
  readonly userAgent: string | null;
}

/** One request of a signed-in user about their own account. */
export interface UserAct extends Act {
  readonly actor: SessionActor;
}
