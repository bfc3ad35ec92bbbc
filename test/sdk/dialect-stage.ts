import { type MockUpstream, startMockUpstream } from '../support/aimock.ts';
import { type Program, startProgram } from '../support/program.ts';
import type { Tenant } from '../support/tenant.ts';

// The started program between a client of Responses or Messages and models behind every API that is spoken: the sandbox,
// and a mock of another maker, which refuses a turn whose signed thoughts have not come back.

/** Nano-USD a token: what all models cost. */
const PRICE = { input: 250n, output: 2_000n };

/** What the mock thinks where it thinks. */
export const THOUGHT = 'The question is easy.';
const CITY = 'Paris';

export interface DialectStage {
  readonly program: Program;
  readonly mock: MockUpstream;
  readonly tenant: Tenant;
}

/** Models that behave alike, by what they are asked for. */
export interface Behind {
  readonly where: string;
  readonly text: string;
  readonly tools: string;
  readonly json: string;
  /** What they say to a text. */
  readonly said: (text: string) => string;
  /** What they say once the tool `weather` has answered; `text` is what they were asked. */
  readonly answered: (text: string) => string;
}

const mocked = (where: string, model: string): Behind => ({
  where,
  text: model,
  tools: model,
  json: `json-${model}`,
  said: (text) => `You said: ${text}`,
  answered: (text) => `You said: ${text}`,
});

const MOCKED = {
  responses: mocked('a provider that speaks Responses', 'on-responses'),
  messages: mocked('a provider that speaks Messages', 'on-messages'),
  chat: mocked('a provider that speaks chat', 'on-chat'),
} as const;

/** Models behind each API. */
export const BEHIND: readonly Behind[] = [
  ...Object.values(MOCKED),
  {
    where: 'the sandbox',
    text: 'echo',
    tools: 'tool-call',
    json: 'json',
    said: (text) => text,
    answered: () => `The tool answered: ${weatherIn(CITY)}`,
  },
];

/** The only tool: what it says of a city, whichever city the model asks for. */
export function weatherIn(_city: string): string {
  return `clear in ${CITY}`;
}

function config(mock: MockUpstream): string {
  const origin = new URL(mock.baseUrl).origin;
  const model = (id: string, provider: string, more = ''): string =>
    `  - { id: ${id}, routes: [{ provider: ${provider}, model: ${id} }], price: { input: "0.25", output: "2.00" }, ` +
    `context_window: 128000, max_output: 16384${more} }`;
  return `
providers:
  responses: { kind: openai, profile: openai, base_url: "${mock.baseUrl}" }
  messages: { kind: anthropic, base_url: "${origin}", api_key: sk-ant-0123456789 }
  chat: { kind: openai, base_url: "${mock.baseUrl}" }
  sandbox: { kind: sandbox }
models:
${['echo', 'tool-call', 'json'].map((id) => model(id, 'sandbox')).join('\n')}
${Object.keys(MOCKED)
  .flatMap((provider) => [
    model(`on-${provider}`, provider),
    model(`json-on-${provider}`, provider),
    model(`thinking-on-${provider}`, provider, ', reasoning: true'),
  ])
  .join('\n')}
`;
}

/** Starts it all. The caller disposes of its program. */
export async function startDialectStage(): Promise<DialectStage> {
  const mock = await startMockUpstream({
    // It doesn't read the schema of a message.
    text: ({ model, response_format }) =>
      model === 'json-on-messages' && response_format === undefined ? '{"answer":"Yes."}' : undefined,
    toolArguments: JSON.stringify({ city: CITY, answer: 'Yes.' }),
    reasoning: ({ model }) => (model.startsWith('thinking') ? THOUGHT : undefined),
  });
  const program = await startProgram({ config: config(mock), beside: [mock] });
  return { program, mock, tenant: await program.createTenant() };
}

/** What the receipt of an answer says that reported this usage, its charge to the nano-USD. */
export function receiptFor(dialect: 'messages' | 'responses', input: number, output: number): object {
  const charge = BigInt(input) * PRICE.input + BigInt(output) * PRICE.output;
  return { dialect, outcome: 'completed', charge_nano_usd: String(charge), usage: { certainty: 'exact' } };
}
