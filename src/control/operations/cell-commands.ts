import type { CommandTable } from './command.ts';
import { MOVE } from './words.ts';

const SHARD = { word: '<shard>', help: 'the two characters in its keys' } as const;

export const CELL_COMMANDS = {
  'cell add': {
    summary: 'add another cell, or change its address and token',
    description:
      'Adds a cell that this one is to work with. The cell must answer, and have this shard. An operator token of that cell is read from a file, or typed.',
    takes: {
      shard: SHARD,
      address: { word: '<address>', help: 'where its instances are, such as https://one.gateway.example' },
      token_file: {
        word: '--token-file <file>',
        help: 'a file with an operator token of that cell; /dev/stdin for a pipe',
      },
    },
    example: '01 https://one.gateway.example --token-file one.token',
  },
  'cell list': {
    calls: 'listCells',
    summary: 'list this cell and the others, with their last proofs',
    example: '',
  },
  'cell drain': {
    summary: 'move all workspaces of this cell to another one',
    description:
      'Moves the workspaces of this cell to another one, one after the other. One that cannot move is named with the reason, and the others go on. Run again, it moves those that are left.',
    takes: MOVE,
    isConfirmed: true,
    example: '--to 01',
  },
  'cell find': {
    calls: 'searchCells',
    summary: 'find workspaces, or a request, in the other cells',
    takes: {
      search: { word: '[name]', help: "a part of the workspaces' names" },
      request_id: { word: '--request <id>', help: 'the x-request-id of a request' },
    },
    example: 'acme',
  },
  'cell remove': {
    calls: 'deleteCell',
    summary: 'forget another cell',
    description: 'Forgets a cell. Refused while a workspace of this cell lives there, or one of that cell lives here.',
    takes: { shard: SHARD },
    isConfirmed: true,
    example: '01 --yes',
  },
} as const satisfies CommandTable;
