import type { CommandTable } from './command.ts';
import { WORKSPACE } from './words.ts';

export const SINK_COMMANDS = {
  'sink list': {
    calls: 'listSinks',
    summary: 'list the sinks, what a workspace has delivered to each, and what was lost',
    takes: { workspace: WORKSPACE },
    example: 'acme',
  },
  'sink update': {
    calls: 'updateSink',
    summary: 'change what a workspace has delivered to a sink',
    takes: {
      workspace: WORKSPACE,
      sink: { word: '<sink>', help: 'its name in the config file' },
      records: {
        word: '--records <kind...>',
        kind: 'names',
        help: 'of content (prompts and answers), receipts, refusals and audit; none: nothing is delivered',
      },
      sample_percent: {
        word: '--sample <percent>',
        kind: 'count',
        max: 100,
        help: 'of 100 requests, how many have their prompts and answers delivered',
      },
      redact: {
        word: '--redact <what...>',
        kind: 'names',
        help: 'what is taken out of prompts and answers: texts, mail_addresses, phone_numbers, card_numbers, keys; or none',
      },
    },
    nothing: 'nothing to change; give an option such as --records content',
    example: 'acme archive --records content receipts --redact mail_addresses keys',
  },
} as const satisfies CommandTable;
