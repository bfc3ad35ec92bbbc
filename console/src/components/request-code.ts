import { shellWord } from '../format/shell-word.ts';

/** A request to the public API, as code is written for it. */
export interface CodeRequest {
  /** Without "/v1": the origin by which the page was reached. */
  readonly origin: string;
  readonly endpoint: 'chat/completions' | 'embeddings' | 'rerank' | 'moderations';
  readonly body: Readonly<Record<string, unknown>>;
  /** The key itself, while it is on screen; null: the code reads it from the environment. */
  readonly apiKey: string | null;
}

export const LANGUAGES = [
  { id: 'curl', label: 'curl' },
  { id: 'typescript', label: 'TypeScript' },
  { id: 'python', label: 'Python' },
] as const;

export type Language = (typeof LANGUAGES)[number]['id'];

/** The variable that code reads the key from. */
export const KEY_VARIABLE = 'FAREGATE_KEY';

/** A command that sends exactly the body. */
function curlCode({ origin, endpoint, body, apiKey }: CodeRequest): string {
  const authorization =
    apiKey === null ? `"Authorization: Bearer $${KEY_VARIABLE}"` : `'Authorization: Bearer ${apiKey}'`;
  return [
    // Of a stream, curl is to print each part as it comes.
    `curl ${body['stream'] === true ? '-N ' : ''}${origin}/v1/${endpoint}`,
    `-H ${authorization}`,
    `-H 'Content-Type: application/json'`,
    `-d ${shellWord(JSON.stringify(body))}`,
  ].join(' \\\n  ');
}

/** How a language writes the values of JSON. */
interface Style {
  readonly indent: string;
  readonly nothing: string;
  readonly yes: string;
  readonly no: string;
  /** Between the brackets of an object on one line. */
  readonly pad: string;
  readonly name: (name: string) => string;
}

const IDENTIFIER = /^[A-Za-z_]\w*$/;
const LINE_MAX = 64;

const TYPESCRIPT: Style = {
  indent: '  ',
  nothing: 'null',
  yes: 'true',
  no: 'false',
  pad: ' ',
  name: (name) => (IDENTIFIER.test(name) ? name : JSON.stringify(name)),
};

const PYTHON: Style = {
  indent: '    ',
  nothing: 'None',
  yes: 'True',
  no: 'False',
  pad: '',
  name: JSON.stringify,
};

/** A value of JSON; lists and objects that fit stand on one line. The escapes of its strings are both languages' own. */
function literal(value: unknown, style: Style, indent: string): string {
  if (value === null || value === undefined) return style.nothing;
  if (typeof value === 'boolean') return value ? style.yes : style.no;
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = indent + style.indent;
  const isList = Array.isArray(value);
  const items = isList
    ? value.map((item) => literal(item, style, inner))
    : Object.entries(value).map(([name, item]) => `${style.name(name)}: ${literal(item, style, inner)}`);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  const pad = isList ? '' : style.pad;
  const line = items.length === 0 ? open + close : `${open}${pad}${items.join(', ')}${pad}${close}`;
  if (line.length <= LINE_MAX && !line.includes('\n')) return line;
  return [open, ...items.map((item) => `${inner}${item},`), `${indent}${close}`].join('\n');
}

/** The methods of OpenAI's SDKs; null if there is none: then the code posts to the path. */
const METHODS: Readonly<Record<CodeRequest['endpoint'], string | null>> = {
  'chat/completions': 'chat.completions.create',
  embeddings: 'embeddings.create',
  rerank: null,
  moderations: 'moderations.create',
};

/** What of the answer is printed: the chunks of a stream, or what the model was asked for. */
const typescriptOutput = ({ endpoint, body }: CodeRequest): readonly string[] => {
  if (endpoint === 'embeddings') return ['console.log(answer.data[0].embedding.length);'];
  if (endpoint === 'rerank' || endpoint === 'moderations') return ['console.log(answer.results);'];
  if (body['stream'] !== true) return ['console.log(answer.choices[0].message.content);'];
  return [
    'for await (const chunk of answer) {',
    `  process.stdout.write(chunk.choices[0]?.delta?.content ?? '');`,
    '}',
  ];
};

function typescriptCode(request: CodeRequest): string {
  const { origin, endpoint, body, apiKey } = request;
  const method = METHODS[endpoint];
  return [
    '// npm install openai',
    `import OpenAI from 'openai';`,
    '',
    'const client = new OpenAI({',
    `  baseURL: '${origin}/v1',`,
    `  apiKey: ${apiKey === null ? `process.env.${KEY_VARIABLE}` : `'${apiKey}'`},`,
    '});',
    '',
    method === null
      ? `const answer = await client.post<{ results: object[] }>('/${endpoint}', {`
      : `const answer = await client.${method}({`,
    ...Object.entries(method === null ? { body } : body).map(
      ([name, value]) => `  ${TYPESCRIPT.name(name)}: ${literal(value, TYPESCRIPT, '  ')},`,
    ),
    '});',
    ...typescriptOutput(request),
  ].join('\n');
}

const pythonOutput = ({ endpoint, body }: CodeRequest): readonly string[] => {
  if (endpoint === 'embeddings') return ['print(len(answer.data[0].embedding))'];
  if (endpoint === 'rerank') return ['print(answer["results"])'];
  if (endpoint === 'moderations') return ['print(answer.results)'];
  if (body['stream'] !== true) return ['print(answer.choices[0].message.content)'];
  return [
    'for chunk in answer:',
    '    if chunk.choices:',
    '        print(chunk.choices[0].delta.content or "", end="", flush=True)',
  ];
};

function pythonCode(request: CodeRequest): string {
  const { origin, endpoint, body, apiKey } = request;
  const method = METHODS[endpoint];
  return [
    '# pip install openai',
    ...(apiKey === null ? ['import os', ''] : []),
    'from openai import OpenAI',
    '',
    'client = OpenAI(',
    `    base_url="${origin}/v1",`,
    `    api_key=${apiKey === null ? `os.environ["${KEY_VARIABLE}"]` : `"${apiKey}"`},`,
    ')',
    '',
    `answer = client.${method ?? 'post'}(`,
    ...(method === null ? [`    "/${endpoint}",`, '    cast_to=object,'] : []),
    ...Object.entries(method === null ? { body } : body).map(
      ([name, value]) => `    ${name}=${literal(value, PYTHON, '    ')},`,
    ),
    ')',
    ...pythonOutput(request),
  ].join('\n');
}

const WRITERS: Readonly<Record<Language, (request: CodeRequest) => string>> = {
  curl: curlCode,
  typescript: typescriptCode,
  python: pythonCode,
};

/** The request as code that can be run as it stands. */
export function requestCode(language: Language, request: CodeRequest): string {
  return WRITERS[language](request);
}
