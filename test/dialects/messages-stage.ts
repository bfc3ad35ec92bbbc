import { framesOf } from '../support/event-frames.ts';
import { Gateway } from '../wire/gateway.ts';

// A gateway whose models are Anthropic's, OpenAI's and Gemini's, all played by one scripted upstream, and the sandbox's.

const KEY = 'sk-ant-upstream-0123456789';

const model = (id: string, provider: string, more = '', spare = ''): string => `
  - id: ${id}
    routes: [{ provider: ${provider}, model: theirs }${spare}]
    price: { input: "1", cached_input: "0.1", cache_write_5m: "1.25", cache_write_1h: "2", output: "10" }
    context_window: 400000
    max_output: 128000${more}`;

export function startMessagesGateway(): Promise<Gateway> {
  return Gateway.start({
    timeouts: '{ ping: 1s }',
    more: (origin) => ({
      providers: `
  anthropic: { kind: anthropic, base_url: "${origin}/anthropic", api_key: "${KEY}" }
  gemini: { kind: gemini, base_url: "${origin}/gemini", api_key: "AIza-upstream-0123456789" }
  strict: { kind: openai, profile: mistral, base_url: "${origin}/v1" }
  sandbox: { kind: sandbox }`,
      models: `${model('claude', 'anthropic')}${model('gpt', 'scripted')}${model(
        'thinker',
        'scripted',
        '\n    reasoning: true',
      )}${model('gemini', 'gemini')}${model('strict', 'strict')}${model(
        'twice',
        'scripted',
        '',
        ', { provider: anthropic, model: theirs }',
      )}
  - id: echo
    routes: [{ provider: sandbox, model: echo }]
    price: { input: "1", output: "10" }
    context_window: 400000
    max_output: 128000
  - id: tool-call
    routes: [{ provider: sandbox, model: tool-call }]
    price: { input: "1", output: "10" }
    context_window: 400000
    max_output: 128000`,
    }),
  });
}

/** The payloads of a stream of events, by their names; each name must be that of its payload's type. */
export function eventsOf(text: string): readonly { readonly type: string; readonly [field: string]: unknown }[] {
  return framesOf(text).map(({ name, data }) => {
    const payload = JSON.parse(data) as { type: string };
    if (name !== payload.type) throw new Error(`an event of type ${payload.type} is called ${name}`);
    return payload;
  });
}

/** A message of these blocks, as the provider answers with it. */
export function message(content: readonly object[], more: object = {}): object {
  const usage = { input_tokens: 7, output_tokens: 5 };
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'theirs',
    content,
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage,
    ...more,
  };
}

/** The text of a stream of these events. */
export function streamOf(...events: readonly { readonly type: string; readonly [field: string]: unknown }[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}
