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
      recipients: {
        word: '--recipient <recipient...>',
        kind: 'names',
        help: 'encrypt it, so that only their identities open it (age1…)',
      },
      overwrite: { word: '--overwrite', kind: 'flag', help: 'replace the file if it exists' },
    },
    example: 'faregate.backup',
  },
} as const satisfies CommandTable;

const IDENTITY = {
  word: '--identity <file>',
  help: 'a file with an identity that opens the backup, if it is encrypted',
} as const;

/** Commands about backup files, except `backup` itself. They need no running instance. */
export const BACKUP_FILE_COMMANDS = {
  'backup verify': {
    summary: 'restore a backup into a database that is thrown away, and prove its ledger',
    takes: { file: { word: '<file>' }, identity: IDENTITY },
    example: 'faregate.backup',
  },
  'backup new-identity': {
    summary: 'make an identity that opens backups, and print its recipient',
    description:
      'Writes an identity to a file, and prints the recipient for which backups are encrypted. Keep the file away from the instance: without it no such backup can be read.',
    takes: { file: { word: '<file>' } },
    example: 'backup-identity',
  },
} as const satisfies CommandTable;

export const RESTORE_COMMANDS = {
  restore: {
    summary: 'fill an empty data directory from a backup',
    takes: { file: { word: '<file>' }, identity: IDENTITY },
    example: 'faregate.backup --data ./restored',
  },
} as const satisfies CommandTable;
