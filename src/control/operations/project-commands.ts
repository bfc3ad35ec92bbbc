import { RAISE_SETTINGS } from '../resources/raise-settings.ts';
import { PROJECT_SETTINGS } from '../resources/project-settings.ts';
import type { CommandTable } from './command.ts';
import { ID, ONCE, PROJECT, WORKSPACE } from './words.ts';

export const PROJECT_COMMANDS = {
  'project create': {
    calls: 'createProject',
    summary: 'create a project',
    settings: PROJECT_SETTINGS,
    takes: { workspace: WORKSPACE, name: { word: '<name>' }, once: ONCE },
    example: 'acme bot --rpm 60 --budget 50 --period month',
  },
  'project update': {
    calls: 'updateProject',
    summary: "change a project's name, limits or budget",
    settings: { ...PROJECT_SETTINGS, ...RAISE_SETTINGS },
    takes: { project: PROJECT, name: { word: '--name <name>', help: 'a new name' } },
    nothing: 'nothing to change; give an option such as --rpm 60',
    example: 'acme/bot --budget 100 --models none',
  },
  'project list': {
    calls: 'listProjects',
    summary: 'list the projects of a workspace',
    takes: { workspace: WORKSPACE, archived: { word: '--archived', kind: 'flag', help: 'the archived ones instead' } },
    example: 'acme',
  },
  'project show': {
    calls: 'showProject',
    summary: 'show a project with its limits, and how its budget stands',
    takes: { project: PROJECT },
    example: 'acme/bot',
  },
  'project archive': {
    calls: 'archiveProject',
    summary: 'archive a project: its keys are refused until it is restored',
    takes: { project: PROJECT },
    example: 'acme/bot',
  },
  'project restore': {
    calls: 'restoreProject',
    summary: 'restore an archived project',
    takes: { workspace: WORKSPACE, project: { word: '<project>', help: 'its id' } },
    example: `acme ${ID}`,
  },
} as const satisfies CommandTable;
