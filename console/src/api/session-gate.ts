// Asks the user to sign in or confirm their identity when the server requires it.

interface SessionGate {
  /** Lets the user prove who they are. Resolves with whether they did. */
  confirm(): Promise<boolean>;
  /** The session is over. */
  ended(): void;
}

const gate: SessionGate = { confirm: () => Promise.resolve(false), ended: () => undefined };

/** Takes over what the gate does; returns how to give it back. */
export function guardSession(guard: Partial<SessionGate>): () => void {
  const former = { ...gate };
  Object.assign(gate, guard);
  return () => Object.assign(gate, former);
}

/** The gate as it is now. */
export function sessionGate(): SessionGate {
  return gate;
}
