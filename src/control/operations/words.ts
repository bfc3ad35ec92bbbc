import { MOVE_WAIT } from './move-operations.ts';

// Words that many commands take.

export const WORKSPACE = { word: '<workspace>', help: 'id or name' } as const;

const OWNER = "id or name; left out: the operator's own";

/** The workspace to list; without it, the operator's own things. */
export const OWNER_LISTED = { word: '[workspace]', help: OWNER } as const;

/** The workspace that a thing belongs to; without it, it is the operator's. */
export const OWNED_BY = { word: '--workspace <workspace>', help: OWNER } as const;

export const PROJECT = {
  word: '<project>',
  help: 'id, workspace/project, or a name that only one project has',
} as const;

/** Where one or all workspaces of a cell move. */
export const MOVE = {
  to: { word: '--to <shard>', required: true, help: 'the other cell: the two characters in its keys' },
  wait_seconds: {
    word: '--wait <seconds>',
    kind: 'count',
    max: MOVE_WAIT.max,
    help: `how long a workspace waits for its running requests, ${MOVE_WAIT.unlessGiven} unless given`,
  },
} as const;

/** So that a repeated command posts or creates once. */
export const ONCE = {
  word: '--once <key>',
  help: 'an idempotency key: repeating the command with it does nothing more',
} as const;

/** An id for examples. */
export const ID = '0198c5f4-7a10-7c3e-8f2b-5b1d6c0e9a11';
