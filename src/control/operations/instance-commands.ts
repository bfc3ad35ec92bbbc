import type { CommandTable } from './command.ts';

export const INSTANCE_COMMANDS = {
  status: { summary: 'show whether the instance is ready, and its problems', example: '--json' },
  processes: {
    calls: 'listProcesses',
    summary: 'list the processes that serve on the database, of all instances',
    example: '',
  },
  settings: {
    calls: 'showSettings',
    summary: 'show the settings in force, and those that wait for a restart',
    description:
      'Shows the settings in force in the running instance, where each comes from, and which others wait for a restart. Secrets are not shown.',
    example: '',
  },
  'secrets rotate': {
    calls: 'rotateSecretsKey',
    summary: 'replace the key',
    description:
      'Wraps all data keys by a new key, and drops the former one from its file. A rotation that was broken off goes on when it is run again.',
    takes: {
      give_up_lost: {
        word: '--give-up-lost',
        kind: 'flag',
        initial: false,
        help: 'give up secrets whose key is lost, instead',
      },
    },
    example: '',
  },
  backup: {
    summary: 'write a backup of the running instance',
    takes: {
      file: { word: '<file>' },
      overwrite: { word: '--overwrite', kind: 'flag', help: 'replace the file if it exists' },
    },
    example: 'faregate.backup',
  },
} as const satisfies CommandTable;
