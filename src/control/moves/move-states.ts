import type { CellFault } from '../cells/cell-client.ts';

// The states of moves, and of arrivals at their other end, apart from the tables that keep them.
//
//   copying ──> paused ──> moved ──> ended        arriving ──> landed ──> open
//      │           │
//      └─────┬─────┘
//        returning ──> returned
//
// copying: the workspace works, and its history is copied. paused: its requests are refused for a moment, running ones end, and the rest
// is copied. moved: it lives in the other cell, where it is still to be opened; there is no way back. returning: it works here again, and
// the other cell is still to drop what has arrived.

export type MoveState = 'copying' | 'paused' | 'moved' | 'ended' | 'returning' | 'returned';

export type ArrivalState = 'arriving' | 'landed' | 'open';

interface Step<State extends string> {
  /** The states in which it can be made. */
  readonly from: readonly State[];
  readonly to: State;
}

export const MOVE_STEPS = {
  pause: { from: ['copying'], to: 'paused' },
  /** The point of no return. */
  letGo: { from: ['paused'], to: 'moved' },
  end: { from: ['moved'], to: 'ended' },
  goBack: { from: ['copying', 'paused'], to: 'returning' },
  endReturn: { from: ['returning'], to: 'returned' },
} as const satisfies Readonly<Record<string, Step<MoveState>>>;

/** What the other cell does, as often as it is asked. */
export const ARRIVAL_STEPS = {
  land: { from: ['arriving', 'landed'], to: 'landed' },
  open: { from: ['landed'], to: 'open' },
} as const satisfies Readonly<Record<string, Step<ArrivalState>>>;

/** The state after a step; null if the step can't be made in this state. */
export function stateAfter<State extends string>({ from, to }: Step<State>, state: State): State | null {
  return from.includes(state) ? to : null;
}

/** What is to be done for a move in this state; null: nothing more. */
export const TO_DO = {
  copying: 'copy',
  paused: 'finish',
  moved: 'open',
  returning: 'drop',
  ended: null,
  returned: null,
} as const satisfies Readonly<Record<MoveState, string | null>>;

export function isUnderWay(state: MoveState | null): boolean {
  return state !== null && TO_DO[state] !== null;
}

/** SQL for the moves that are to be carried on. */
export const UNDER_WAY = `state in (${Object.entries(TO_DO)
  .flatMap(([state, toDo]) => (toDo === null ? [] : [`'${state}'`]))
  .join(', ')})`;

/** Whether the other cell would refuse for good what it has refused. */
export function isFinal({ kind, code }: Pick<CellFault, 'kind' | 'code'>): boolean {
  return kind === 'refused' && code !== 'SERVICE_UNAVAILABLE' && code !== 'INTERNAL_ERROR';
}
