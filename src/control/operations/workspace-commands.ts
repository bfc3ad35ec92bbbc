import type { CommandTable } from './command.ts';
import { ONCE, WORKSPACE } from './words.ts';

export const WORKSPACE_COMMANDS = {
  'workspace create': {
    calls: 'createWorkspace',
    summary: 'create a workspace',
    takes: { name: { word: '<name>' }, once: ONCE },
    example: 'acme',
  },
  'workspace show': {
    summary: 'show a workspace with its credit and projects',
    takes: { workspace: WORKSPACE },
    example: 'acme',
  },
  'workspace rename': {
    calls: 'renameWorkspace',
    summary: 'rename a workspace',
    takes: { workspace: WORKSPACE, name: { word: '<name>', help: 'the new name' } },
    example: 'acme acme-eu',
  },
  'workspace suspend': {
    calls: 'suspendWorkspace',
    summary: 'refuse the requests of all keys of a workspace until it is resumed',
    takes: {
      workspace: WORKSPACE,
      reason: { word: '--reason <text>', required: true, help: 'the reason, which callers are shown' },
    },
    example: 'acme --reason "unpaid invoice"',
  },
  'workspace resume': {
    calls: 'resumeWorkspace',
    summary: 'serve a suspended workspace again',
    takes: { workspace: WORKSPACE },
    example: 'acme',
  },
  'workspace close': {
    calls: 'closeWorkspace',
    summary: 'close a workspace for good: its keys stop, and what is left of its credit is refunded',
    takes: { workspace: WORKSPACE },
    isConfirmed: true,
    example: 'acme',
  },
  'workspace overview': {
    calls: 'showOverview',
    summary: 'show what asks for attention: limits nearly used up, keys about to expire, open alerts',
    takes: { workspace: WORKSPACE },
    example: 'acme',
  },
} as const satisfies CommandTable;
