import type { MockUpstream } from './aimock.ts';

/**
 * The config of a program with one model, `output-priced`, which this upstream serves: what a request holds and costs
 * follows from its output alone. `more` is put before it; `first` is an upstream that every request is tried at before.
 */
export function outputPricedConfig({ baseUrl }: Pick<MockUpstream, 'baseUrl'>, more = '', first?: string): string {
  const firstProvider = first === undefined ? '' : `\n  first: { kind: openai, base_url: "${first}/v1" }`;
  return `${more}
providers:${firstProvider}
  mock: { kind: openai, base_url: "${baseUrl}" }
models:
  - id: output-priced
    routes: [${first === undefined ? '' : '{ provider: first, model: gpt }, '}{ provider: mock, model: gpt }]
    price: { input: "0", output: "2.00" }
    context_window: 128000
    max_output: 16384
`;
}

/** The output cap of a request for it, and what that holds, in nano-USD. */
export const CAP = 1_000;
export const HOLD = 2_000_000n;

/** What an upstream says to have used, and what that is charged. */
export const USAGE = { prompt_tokens: 0, completion_tokens: 300 };
export const CHARGE = 600_000n;

/** Credit, and how many requests it pays for whatever their order: more than would fit beside each other. */
export const CREDIT = 74_000_000n;
export const AFFORDABLE = Number((CREDIT - HOLD) / CHARGE) + 1;

/** A request for it. */
export const REQUEST = { model: 'output-priced', max_tokens: CAP, messages: [{ role: 'user', content: 'hi' }] };
