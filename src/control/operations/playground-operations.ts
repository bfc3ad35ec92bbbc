import type { Operation } from './operation.ts';

export const PLAYGROUND_OPERATIONS = {
  playgroundChat: {
    route: 'POST /workspaces/{workspace}/playground/chat/completions',
    access: 'playground:use',
    tag: 'Playground',
    summary: 'Send a chat request to a model as a member, without a key',
    refuses: 'as the public API',
  },
  playgroundQuote: {
    route: 'POST /workspaces/{workspace}/playground/quote',
    access: 'playground:use',
    tag: 'Playground',
    summary: 'Show what a request of the playground would hold and cost at most',
    refuses: 'as the public API',
  },
} as const satisfies Readonly<Record<string, Operation>>;
