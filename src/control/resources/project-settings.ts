import { ENDING_PERIODS, PERIODS } from '../../domain/window.ts';
import type { SettingsOf, SettingTable } from './setting.ts';

const COUNT_MAX = 2_147_483_647;

/** What people decide about a project. */
export const PROJECT_SETTINGS = {
  name: { kind: 'name', wire: 'name', label: 'Name' },
  requestsPerMinute: {
    kind: 'count',
    wire: 'requests_per_minute',
    max: COUNT_MAX,
    label: 'Requests per minute',
    option: '--rpm <n>',
    optionHelp: 'requests a minute, or none',
  },
  tokensPerMinute: {
    kind: 'count',
    wire: 'tokens_per_minute',
    max: Number.MAX_SAFE_INTEGER,
    label: 'Tokens per minute',
    option: '--tpm <n>',
    optionHelp: 'tokens a minute, or none',
  },
  concurrency: {
    kind: 'count',
    wire: 'concurrency',
    max: COUNT_MAX,
    label: 'Requests at the same time',
    option: '--concurrency <n>',
    optionHelp: 'requests at a time, or none',
  },
  budget: {
    kind: 'usd',
    wire: 'budget',
    label: 'Budget',
    help: 'What all its keys together may spend.',
    option: '--budget <usd>',
    optionHelp: 'the budget of one period, or none',
  },
  budgetPeriod: {
    kind: 'choice',
    wire: 'budget_period',
    of: PERIODS,
    initial: 'month',
    words: { day: 'each day', week: 'each week', month: 'each month', never: 'never' },
    label: 'Resets',
    help: 'In UTC.',
    option: '--period <period>',
    optionHelp: 'how often the budget resets',
  },
  endUserLimit: {
    kind: 'usd',
    wire: 'end_user_limit',
    description: 'What each end user that requests name may spend in a period. Null: end users are not limited.',
    label: 'Limit of each end user',
    help: 'What each end user may spend. Requests name them in safety_identifier, user or metadata.user_id.',
    option: '--end-user-limit <usd>',
    optionHelp: 'what each end user may spend in one period, or none',
  },
  endUserPeriod: {
    kind: 'choice',
    wire: 'end_user_period',
    // End users come and go: what they have spent is forgotten some days after the period.
    of: ENDING_PERIODS,
    initial: 'month',
    words: { day: 'each day', week: 'each week', month: 'each month' },
    label: 'It resets',
    help: 'In UTC.',
    option: '--end-user-period <period>',
    optionHelp: "how often an end user's limit resets",
  },
  sessionLimit: {
    kind: 'usd',
    wire: 'session_limit',
    description: 'What each session of an agent may spend in a month. Null: sessions are not limited.',
    label: 'Limit of each session',
    help: 'What each run of an agent may spend in a calendar month of UTC. A header of its requests names the session.',
    option: '--session-limit <usd>',
    optionHelp: 'what each session may spend, or none',
  },
  models: {
    kind: 'models',
    wire: 'models',
    label: 'Models',
    help: 'Ids, or the beginning of ids and "*", as in openai/*. Without any, every model on sale is allowed.',
    option: '--models <ids>',
    optionHelp: 'comma-separated model ids, or prefixes ending in *; none allows all',
  },
  modelWhenSpent: {
    kind: 'text',
    wire: 'model_when_spent',
    max: 200,
    description:
      'The model that answers chats if the budget, or the limit of key, member, end user or session, does not cover the requested one; null: they are refused.',
    label: 'Model when a limit is reached',
    help: 'A cheaper one, which answers in the place of a model that the budget or a limit does not cover. Empty: such requests are refused.',
    option: '--model-when-spent <id>',
    optionHelp: 'the model that answers if a limit does not cover the requested one, or none',
  },
  memberKeySpendLimit: {
    kind: 'usd',
    wire: 'member_key_spend_limit',
    description:
      'The largest monthly limit of a key by a member who manages their own keys alone, such as a developer. Setting it lowers the limits of such keys that are above it.',
    label: "Limit of a developer's key",
    help: 'The most that one may spend in a month. It lowers those that are above it.',
    option: '--member-key-limit <usd>',
    optionHelp: "the largest monthly limit of a developer's key, or none",
  },
  memberKeysMax: {
    kind: 'count',
    wire: 'member_keys_max',
    max: 1_000_000,
    description: 'How many such keys each of these members may have. A revoked one counts until the end of its month.',
    label: 'Keys of each developer',
    help: 'How many each may have. A revoked one counts until its month ends.',
    option: '--member-keys <n>',
    optionHelp: 'how many keys each developer may have, or none',
  },
  reportsCost: {
    kind: 'flag',
    wire: 'report_cost',
    column: 'reports_cost',
    initial: false,
    description:
      'Whether answers have their charge as `usage.cost`, unless a request says otherwise by the header x-faregate-report-cost.',
    label: 'Answers say what they cost',
    help: "The charge in USD stands in each answer's usage, as usage.cost. A request's header x-faregate-report-cost takes precedence.",
    option: '--report-cost <bool>',
    optionHelp: 'whether answers have their charge as usage.cost',
  },
} as const satisfies SettingTable;

/** The settings of a project: its budget in nano-USD a period, its limit of members' keys in nano-USD a month. */
export type ProjectSettings = SettingsOf<typeof PROJECT_SETTINGS>;
