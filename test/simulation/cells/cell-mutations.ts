import type { Mutation } from '../mutations.ts';

const STATES = 'src/control/moves/move-states.ts';
const FORWARD = 'src/gate/gateway/forward.ts';

function mutation(name: string, file: string, line: string, mutated: string): Mutation {
  return { name, edits: [{ file, line, mutated }] };
}

/** Each must make the simulation of cells fail, or it would not notice that mistake. */
export const CELL_MUTATIONS: readonly Mutation[] = [
  mutation(
    'a move goes back from behind the point of no return',
    STATES,
    "goBack: { from: ['copying', 'paused'], to",
    "goBack: { from: ['copying', 'paused', 'moved'], to",
  ),
  mutation(
    'credit of a workspace that is paused is leased',
    'test/simulation/cells/cell-rows.ts',
    '!this.#live.has(epoch) || stay.isShut || stay.movedTo',
    '!this.#live.has(epoch) || stay.movedTo',
  ),
  mutation('a move ends before the workspace is opened', STATES, "moved: 'open',", "moved: 'drop',"),
  mutation('a request is forwarded once', FORWARD, 'if (passed.length >= FORWARDS_MAX)', 'if (passed.length > 0)'),
  mutation('requests are forwarded in a circle', FORWARD, 'if (passed.includes(shard))', 'if (passed[0] === null)'),
  mutation(
    'a process does not look where a workspace has moved to',
    'src/gate/gateway/authenticate.ts',
    'if (movedTo !== null) return',
    'if (movedTo === principal.keyId) return',
  ),
  mutation(
    'a process keeps what it knows of a workspace that moves',
    'src/gate/principals/principal-cache.ts',
    "else if (kind === 'workspace') this.#dropWorkspace(subjectId);",
    "else if (kind === 'workspace') return;",
  ),
  mutation(
    'a process remembers that there was no key of a workspace that has come',
    'src/gate/principals/principal-cache.ts',
    'this.#store.dropWorkspace(id);\n    this.#refusedUntilMs.clear();',
    'this.#store.dropWorkspace(id);',
  ),
  mutation(
    'keys of other cells are strange in the one where their workspace lives',
    'src/gate/principals/known-cells.ts',
    'return this.#urls.has(shard);',
    'return this.#urls.size === 0;',
  ),
  mutation(
    'a cell is read from the wrong end of a key',
    'src/domain/key.ts',
    'return key.slice(KEY_PREFIX.length, KEY_PREFIX.length + FIRST_SHARD.length);',
    'return key.slice(KEY_PREFIX.length + 1, KEY_PREFIX.length + 1 + FIRST_SHARD.length);',
  ),
  mutation(
    'a search asks all cells at the same time',
    'src/control/cells/ask-cells.ts',
    'const AT_A_TIME = 32;',
    'const AT_A_TIME = 99;',
  ),
  mutation(
    'a search takes one cell for another',
    'src/control/cells/ask-cells.ts',
    'answers[index] = await client.call',
    'answers[answers.length] = await client.call',
  ),
];
