import { KEY_SORTS, KEY_STATES } from '../../domain/key-lists.ts';
import { RAISE_SETTINGS } from '../resources/raise-settings.ts';
import { KEY_SETTINGS } from '../resources/key-settings.ts';
import type { CommandTable } from './command.ts';
import { ONCE, PROJECT } from './words.ts';

const KEY = { word: '<key>', help: 'id, or the key as it is shown' } as const;
const SHOWN_KEY = 'fg_live_00a8Jk2LmQ9xYz…7Rt2';

export const KEY_COMMANDS = {
  'key create': {
    calls: 'createKey',
    summary: 'create a key; it is shown once',
    settings: KEY_SETTINGS,
    takes: { project: PROJECT, once: ONCE },
    example: 'acme/bot --name ci --spend-limit 50 --models small-chat',
  },
  'key list': {
    summary: 'list the keys of a project, or of a workspace',
    takes: {
      project: { ...PROJECT, word: '[project]' },
      workspace: { word: '--workspace <workspace>', help: 'those of all projects of this workspace: id or name' },
      search: {
        word: '--search <text>',
        help: 'only those with this in their name, their key or the name of who created them',
      },
      state: { word: '--state <state>', kind: 'choice', of: KEY_STATES, help: 'only those' },
      sort: { word: '--sort <by>', kind: 'choice', of: KEY_SORTS, help: 'the order' },
    },
    example: '--workspace acme --sort spend',
  },
  'key find': {
    summary: 'find a key by what is known of it: in full, masked, its id, its last four characters, or a name',
    takes: {
      text: { word: '<text>', help: 'a key in any printed form, or a part of its name' },
      workspace: {
        word: '--workspace <workspace>',
        help: 'where to look for a part; may be left out if there is only one',
      },
    },
    example: SHOWN_KEY,
  },
  'key show': {
    calls: 'showKey',
    summary: 'show a key and how its limit stands',
    takes: { key: KEY },
    example: SHOWN_KEY,
  },
  'key update': {
    calls: 'updateKey',
    summary: "change a key's name, limit, models, expiry or notes",
    settings: { ...KEY_SETTINGS, ...RAISE_SETTINGS },
    takes: { key: KEY },
    nothing: 'nothing to change; name a flag such as --spend-limit 50',
    example: `${SHOWN_KEY} --spend-limit 75 --expires none`,
  },
  'key disable': {
    calls: 'updateKey',
    summary: 'refuse a key until it is enabled again',
    takes: { key: KEY },
    gives: { disabled: true },
    example: SHOWN_KEY,
  },
  'key enable': {
    calls: 'updateKey',
    summary: 'accept a disabled key again',
    takes: { key: KEY },
    gives: { disabled: false },
    example: SHOWN_KEY,
  },
  'key rotate': {
    calls: 'rotateKey',
    summary: 'give a key another secret, shown once; the former one works for a while longer',
    takes: {
      key: KEY,
      overlap_hours: {
        word: '--overlap <hours>',
        kind: 'hours',
        max: 720,
        help: 'how long the former secret works too, 0 to 720; 24 unless given',
      },
    },
    example: `${SHOWN_KEY} --overlap 48`,
  },
  'key end-former': {
    calls: 'endFormerSecret',
    summary: 'end the former secret of a rotated key before its time',
    takes: { key: KEY },
    example: SHOWN_KEY,
  },
  'key revoke': {
    calls: 'revokeKey',
    summary: 'revoke a key permanently',
    takes: { key: KEY },
    example: SHOWN_KEY,
  },
} as const satisfies CommandTable;
