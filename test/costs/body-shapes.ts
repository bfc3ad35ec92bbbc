// Bodies of every shape that may take long to read: much of one thing, in every place where things are read.

type Filler = (bytes: number) => string;

const repeated =
  (unit: string, separator = ','): Filler =>
  (bytes) =>
    unit + (separator + unit).repeat(Math.max(0, Math.floor(bytes / (unit.length + separator.length)) - 1));
const run = (unit: string): Filler => repeated(unit, '');
const numbered =
  (unit: (index: number) => string): Filler =>
  (bytes) =>
    Array.from({ length: Math.floor(bytes / (unit(100_000).length + 1)) }, (_, index) => unit(index)).join(',');
const listOf =
  (filler: Filler): Filler =>
  (bytes) =>
    `"x":[${filler(bytes)}]`;
const textOf =
  (unit: string): Filler =>
  (bytes) =>
    `"x":"${run(unit)(bytes)}"`;

/** What members may be: each fills so many bytes of an object. */
export const MEMBERS: Readonly<Record<string, Filler>> = {
  'empty names': repeated('"":1'),
  'short names': numbered((index) => `"${index.toString(36)}":1`),
  'escaped names': numbered((index) => `"\\u0041${index}":1`),
  'foreign names': numbered((index) => `"é${index}":1`),
  'names of 127 bytes': numbered((index) => `"${String(index).padStart(127, 'n')}":1`),
  'one long name': (bytes) => `"${run('n')(bytes)}":1`,
  'one long name of escapes': (bytes) => `"${run('\\u0041')(bytes)}":1`,
  'one long name of long s': (bytes) => `"${run('ſ')(bytes / 2)}":1`,
  'a long text': textOf('a'),
  'a long text of line feeds': textOf('\\n'),
  'a long text of code units': textOf('\\u0041'),
  'a long text of lone surrogates': textOf('\\ud800'),
  'a long text of Chinese': (bytes) => textOf('汉')(bytes / 3),
  'short numbers': listOf(repeated('1')),
  'long numbers': listOf(repeated('-12345678.901234e-10')),
  'one endless number': (bytes) => `"x":${run('1')(bytes)}`,
  literals: listOf(repeated('true')),
  'empty arrays': listOf(repeated('[]')),
  objects: listOf(repeated('{"":1}')),
  'empty texts': listOf(repeated('""')),
  'texts of 20 bytes': listOf(repeated(`"${'a'.repeat(20)}"`)),
  'texts of 126 bytes': listOf(repeated(`"${'a'.repeat(126)}"`)),
  'texts of 60 escapes': listOf(repeated(`"${'\\n'.repeat(60)}"`)),
  'deep arrays': listOf(repeated('['.repeat(240) + ']'.repeat(240))),
  'deep objects': listOf(repeated('{"":'.repeat(240) + '1' + '}'.repeat(240))),
  'white space': (bytes) => `"x":${run(' \n\t')(bytes)}1`,
  'white space everywhere': listOf(repeated(`1${'\n\t '.repeat(10)}`)),
};

const MESSAGES = '"messages":[{"role":"user","content":"hi"}]';

/** Where members may stand. */
export const PLACES: Readonly<Record<string, (members: string) => string>> = {
  'the body': (members) => `{"model":"m",${MESSAGES},"input":"a",${members}}`,
  'an unknown field': (members) => `{"model":"m",${MESSAGES},"input":"a","x":{${members}}}`,
  'a message': (members) => `{"model":"m","messages":[{"role":"user",${members}}]}`,
  'a part': (members) => `{"model":"m","messages":[{"role":"user","content":[{"type":"text",${members}}]}]}`,
  'an image': (members) =>
    `{"model":"m","messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"a",${members}}}]}]}`,
  'a tool': (members) => `{"model":"m",${MESSAGES},"tools":[{"type":"function",${members}}]}`,
  'a function': (members) => `{"model":"m",${MESSAGES},"tools":[{"type":"function","function":{${members}}}]}`,
  'a format': (members) => `{"model":"m",${MESSAGES},"response_format":{"type":"json_object",${members}}}`,
  'a schema': (members) =>
    `{"model":"m",${MESSAGES},"response_format":{"type":"json_schema","json_schema":{"name":"a","schema":{${members}}}}}`,
  'stream options': (members) => `{"model":"m",${MESSAGES},"stream":true,"stream_options":{${members}}}`,
  'a judged field': (members) => `{"model":"m",${MESSAGES},"service_tier":{${members}}}`,
};

const inMessages =
  (filler: Filler): Filler =>
  (bytes) =>
    `{"model":"m","messages":[${filler(bytes)}]}`;
const inContent =
  (filler: Filler): Filler =>
  (bytes) =>
    `{"model":"m","messages":[{"role":"user","content":[${filler(bytes)}]}]}`;
const inTools =
  (filler: Filler): Filler =>
  (bytes) =>
    `{"model":"m",${MESSAGES},"tools":[${filler(bytes)}]}`;
const inInput =
  (filler: Filler): Filler =>
  (bytes) =>
    `{"model":"m","input":[${filler(bytes)}]}`;
const inDocuments =
  (filler: Filler): Filler =>
  (bytes) =>
    `{"model":"m","query":"q","documents":[${filler(bytes)}]}`;

/** Bodies of many things that are read one by one. */
export const LISTS: Readonly<Record<string, Filler>> = {
  'empty messages': inMessages(repeated('{}')),
  'short messages': inMessages(repeated('{"role":"user"}')),
  'a role again and again': inMessages((bytes) => `{${repeated('"role":"a"')(bytes)}}`),
  'an escaped role again and again': inMessages((bytes) => `{${repeated('"rol\\u0065":"a"')(bytes)}}`),
  'empty contents': inMessages((bytes) => `{"role":"user",${repeated('"content":[]')(bytes)}}`),
  'empty parts': inContent(repeated('{}')),
  'parts that are none': inContent(repeated('1')),
  'short parts': inContent(repeated('{"type":"text"}')),
  'parts of an escaped type': inContent(repeated('{"type":"te\\u0078t"}')),
  'a part of a long type': inContent((bytes) => `{"type":"${run('\\n')(bytes)}"}`),
  'short images': inContent(repeated('{"type":"image_url","image_url":{"url":"data:image/png;base64,AA"}}')),
  'short tools': inTools(repeated('{"type":"function"}')),
  'a tool of a long type': inTools((bytes) => `{"type":"${run('\\n')(bytes)}"}`),
  'short documents': inDocuments(repeated('{"text":"a"}')),
  'documents of line feeds': inDocuments((bytes) => repeated(`{"text":"${'\\n'.repeat(bytes / 4_000)}"}`)(bytes)),
  'members of a document': inDocuments((bytes) => `{${repeated('"te\\u0078t":"a"')(bytes)}}`),
  'short tokens': inInput(repeated('1')),
  'long tokens': inInput(repeated('1234567')),
  'lists of tokens': inInput((bytes) => repeated(`[${repeated('1')(bytes / 2_000)}]`)(bytes)),
  'texts with line feeds': inInput((bytes) => repeated(`"${'\\n'.repeat(bytes / 4_000)}"`)(bytes)),
  'texts of code units': inInput((bytes) => repeated(`"${'\\ud83d\\ude00'.repeat(bytes / 24_000)}"`)(bytes)),
};
