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
