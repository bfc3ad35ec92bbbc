import { WORKSPACE_SETTINGS } from '../resources/workspace-settings.ts';
import type { CommandTable } from './command.ts';
import { MOVE, ONCE, WORKSPACE } from './words.ts';

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
    calls: 'changeWorkspace',
    summary: 'rename a workspace',
    takes: { workspace: WORKSPACE, name: { word: '<name>', help: 'the new name' } },
    example: 'acme acme-eu',
  },
  'workspace update': {
    calls: 'changeWorkspace',
    summary: "change a workspace's name, the monthly limit of new members, or to whom statements are addressed",
    settings: WORKSPACE_SETTINGS,
    takes: { workspace: WORKSPACE },
    nothing: 'nothing to change; name a flag such as --member-monthly-limit 20',
    example: 'acme --member-monthly-limit 20',
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
  'workspace move': {
    summary: 'move a workspace to another cell while it works',
    description:
      'Copies the workspace to another cell, refuses its requests for a moment, and has it live there. Prints each step until the workspace is there, or has stayed here; without this command the move goes on.',
    takes: {
      workspace: WORKSPACE,
      ...MOVE,
    },
    example: 'acme --to 01',
  },
  'workspace show-move': {
    calls: 'showMove',
    summary: 'show how far a workspace has moved to another cell',
    takes: { workspace: WORKSPACE },
    example: 'acme',
  },
  'workspace cancel-move': {
    calls: 'cancelMove',
    summary: 'let a workspace that moves to another cell stay here',
    takes: { workspace: WORKSPACE },
    example: 'acme',
  },
  'workspace overview': {
    calls: 'showOverview',
    summary: 'show what asks for attention: limits nearly used up, keys about to expire, open alerts',
    takes: { workspace: WORKSPACE },
    example: 'acme',
  },
  'workspace export': {
    summary: 'print workspaces as a file for diff and apply',
    description:
      'Prints workspaces with their projects, members and alert rules, as YAML that diff and apply read. Keys, credit and secrets are not in it.',
    takes: { workspaces: { word: '<workspace...>', help: 'ids or names' } },
    example: 'acme',
  },
} as const satisfies CommandTable;

const FILES = { word: '<file...>', help: 'YAML, as workspace export prints it' } as const;
const PRUNE = {
  word: '--prune',
  kind: 'flag',
  initial: false,
  help: 'take away the projects, members and alert rules that the files leave out',
} as const;

/** Workspaces as files, which teams keep under version control. */
export const WORKSPACE_FILE_COMMANDS = {
  diff: {
    summary: 'show how workspaces differ from files',
    description: 'Shows what apply would change, and changes nothing. Exits with 2 if anything differs.',
    takes: { files: FILES, prune: PRUNE },
    example: 'workspaces.yaml',
  },
  apply: {
    summary: 'make workspaces as files say',
    description:
      'Shows what differs, asks, and makes the workspaces as the files say. What a section of a file leaves out stays, unless --prune is given; a section that a file lacks is not looked at.',
    takes: { files: FILES, prune: PRUNE },
    isConfirmed: true,
    example: 'workspaces.yaml',
  },
} as const satisfies CommandTable;
