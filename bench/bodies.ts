import { EMBEDDING_INPUTS } from './mock/answers.ts';

// Request bodies as applications send them.

const SENTENCE =
  'Please go through "the plan" once more:\n\tdoes step 3 – the naïve one – hold, and what would it cost? ';
const IMAGE_BYTES = 600_000;
const IMAGE_PROMPT_BYTES = 200_000;

function textOf(bytes: number): string {
  return SENTENCE.repeat(Math.ceil(bytes / Buffer.byteLength(SENTENCE)));
}

const SYSTEM = 'You are a careful assistant. Answer in one sentence.';
const QUESTION = 'What does a gate do when nobody has paid for the way through it?';

function chat(model: string, content: unknown, rest: object): string {
  const messages = [
    { role: 'system', content: SYSTEM },
    { role: 'user', content },
  ];
  return JSON.stringify({ model, messages, temperature: 0.2, ...rest });
}

/** A short chat request of about 300 bytes. */
export function smallChat(model: string, rest: object = {}): string {
  return chat(model, QUESTION, { max_tokens: 64, ...rest });
}

/** The same request as Anthropic's clients write it. */
export function smallMessage(model: string, rest: object = {}): string {
  const messages = [{ role: 'user', content: QUESTION }];
  return JSON.stringify({ model, system: SYSTEM, messages, temperature: 0.2, max_tokens: 64, ...rest });
}

/** The same request to OpenAI's Responses. */
export function smallResponse(model: string, rest: object = {}): string {
  const input = [{ role: 'user', content: QUESTION }];
  return JSON.stringify({ model, instructions: SYSTEM, input, temperature: 0.2, max_output_tokens: 64, ...rest });
}

/** A chat request with so much text. */
export function longChat(model: string, bytes: number): string {
  return chat(model, textOf(bytes), { max_tokens: 64 });
}

/** A chat request of 1 MB, most of it a picture. */
export function pictureChat(model: string): string {
  const picture = Buffer.from(Array.from({ length: IMAGE_BYTES }, (_, at) => (at * 31) % 251)).toString('base64');
  const content = [
    { type: 'text', text: textOf(IMAGE_PROMPT_BYTES) },
    { type: 'image_url', image_url: { url: `data:image/png;base64,${picture}` } },
  ];
  return chat(model, content, { max_tokens: 64 });
}

/** Many texts to embed, as OpenAI's SDKs ask for it. */
export function embeddings(model: string): string {
  const input = Array.from({ length: EMBEDDING_INPUTS }, (_, at) => `Line ${at}: ${SENTENCE}`);
  return JSON.stringify({ model, input, encoding_format: 'base64' });
}

const PERSON = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1 },
    email: { type: 'string', format: 'email' },
    age: { type: ['integer', 'null'], minimum: 0 },
    role: { anyOf: [{ const: 'keeper' }, { const: 'guest' }] },
    notes: { type: 'array', items: { type: 'string' }, maxItems: 9 },
  },
  required: ['name', 'email', 'age', 'role', 'notes'],
  additionalProperties: false,
};

const PEOPLE = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    language: { enum: ['en', 'de', 'fr'] },
    published: { type: 'string', format: 'date' },
    people: { type: 'array', items: { $ref: '#/$defs/person' } },
  },
  required: ['title', 'language', 'published', 'people'],
  additionalProperties: false,
  $defs: { person: PERSON },
};

/** A short chat request whose answer must conform to a JSON schema. */
export function schemaChat(model: string): string {
  const json_schema = { name: 'people', strict: true, schema: PEOPLE };
  return smallChat(model, { max_tokens: 1_024, response_format: { type: 'json_schema', json_schema } });
}
