import type { MockUpstream } from './aimock.ts';

/**
 * The config of a program with one model, `output-priced`, which this upstream alone serves: what a request holds and costs
 * follows from its output alone. `more` is put before it.
 */
export function outputPricedConfig({ baseUrl }: Pick<MockUpstream, 'baseUrl'>, more = ''): string {
  return `${more}
providers:
  mock: { kind: openai, base_url: "${baseUrl}" }
models:
  - id: output-priced
    routes: [{ provider: mock, model: gpt }]
    price: { input: "0", output: "2.00" }
    context_window: 128000
    max_output: 16384
`;
}
