import { RAISE_SETTINGS } from '../resources/raise-settings.ts';
import { END_USER_SETTINGS } from '../resources/end-user-settings.ts';
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

const END_USER = { word: '<name>', help: 'as requests name them' } as const;

export const END_USER_COMMANDS = {
  'end-user update': {
    calls: 'setEndUserLimit',
    summary: "set the limit of one end user, in the place of the project's for each",
    settings: { ...END_USER_SETTINGS, ...RAISE_SETTINGS },
    takes: { project: PROJECT, name: END_USER },
    example: 'acme/bot ada --limit 50',
  },
  'end-user list': {
    calls: 'listEndUserLimits',
    summary: 'list the end users whose limits are set one by one',
    takes: { project: PROJECT },
    example: 'acme/bot',
  },
  'end-user show': {
    calls: 'showEndUser',
    summary: 'show what an end user has used of their limit',
    takes: { project: PROJECT, name: END_USER },
    example: 'acme/bot ada',
  },
  'end-user unlimit': {
    calls: 'removeEndUserLimit',
    summary: "remove the limit of one end user, and their name: the project's for each holds again",
    takes: { project: PROJECT, endUser: END_USER },
    example: 'acme/bot ada',
  },
} as const satisfies CommandTable;
