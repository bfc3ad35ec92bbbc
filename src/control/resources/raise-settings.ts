import type { SettingsOf, SettingTable } from './setting.ts';

/** What people decide about a limit for a time: of a project, a key or a member. */
export const RAISE_SETTINGS = {
  raisedLimit: {
    kind: 'usd',
    wire: 'raised_limit',
    description:
      'The limit until `raised_until`, above the ordinary one, which holds again from then on; null: it is not raised. A change of the ordinary limit ends it.',
    label: 'Limit for now',
    help: 'Above the ordinary limit, which holds again afterwards by itself. Empty: it is not raised.',
    option: '--raised-limit <usd>',
    optionHelp: 'a higher limit for a time, or none',
  },
  raisedUntil: {
    kind: 'time',
    wire: 'raised_until',
    description: 'Until when the limit is raised. A raise without it holds until the end of the present period.',
    label: 'Until',
    help: 'The beginning of this day, UTC. Empty: until the present period ends.',
    option: '--raised-until <date>',
    optionHelp: 'until when the limit is raised, by default until its period ends; a date means its start in UTC',
  },
} as const satisfies SettingTable;

/** A limit for a time, in nano-USD, and its end; both null: the limit is not raised. */
export type Raise = SettingsOf<typeof RAISE_SETTINGS>;
