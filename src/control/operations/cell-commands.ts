import type { CommandTable } from './command.ts';

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
    summary: 'list the other cells, and whether they answer',
    example: '',
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
