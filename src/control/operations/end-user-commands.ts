import { END_USER_SETTINGS } from '../resources/end-user-settings.ts';
import { RAISE_SETTINGS } from '../resources/raise-settings.ts';
import type { CommandTable } from './command.ts';
import { PROJECT } from './words.ts';

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
