import type { ScriptedUpstream } from './scripted-upstream.ts';

/** The config of a program with one model, `small-chat`, which this upstream alone serves. */
export function smallChatConfig({ origin }: Pick<ScriptedUpstream, 'origin'>): string {
  return `
providers:
  scripted: { kind: openai, base_url: "${origin}/v1" }
models:
  - id: small-chat
    routes: [{ provider: scripted, model: gpt }]
    price: { input: "0.25", output: "2.00" }
    context_window: 1000000
    max_output: 16384
`;
}

/** Little beside a hold, so that what leases have lasts for a whole test. */
export const SMALL_USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

/** The body of a plain answer by `small-chat`. */
export const SMALL_ANSWER = JSON.stringify({
  id: 'c-1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
  usage: SMALL_USAGE,
});
