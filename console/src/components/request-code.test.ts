import { expect, test } from 'vitest';
import { type CodeRequest, type Language, LANGUAGES, requestCode } from './request-code.ts';

const ORIGIN = 'https://gate.example';
const CHAT: CodeRequest = {
  origin: ORIGIN,
  endpoint: 'chat/completions',
  body: { model: 'sandbox/echo', messages: [{ role: 'user', content: `It's "here": $HOME\n` }] },
  apiKey: null,
};
const SECRET = 'fg_live_0123456789abcdef';
const code = (language: Language, request: Partial<CodeRequest> = {}): string =>
  requestCode(language, { ...CHAT, ...request });

test('the curl command quotes its body for a shell', () => {
  expect(code('curl')).toBe(
    [
      `curl ${ORIGIN}/v1/chat/completions \\`,
      `  -H "Authorization: Bearer $FAREGATE_KEY" \\`,
      `  -H 'Content-Type: application/json' \\`,
      `  -d '{"model":"sandbox/echo","messages":[{"role":"user","content":"It'\\''s \\"here\\": $HOME\\n"}]}'`,
    ].join('\n'),
  );
});

test('the curl command prints each part of a stream as it comes', () => {
  expect(code('curl', { body: { model: 'a', stream: true } })).toContain(`curl -N ${ORIGIN}`);
  expect(code('curl')).not.toContain('-N');
});

test('Python code writes its own words for the values of JSON', () => {
  const body = { model: 'a', stream: true, stop: null, response_format: { strict: false, 'x-y': [1, 0.5] } };
  expect(code('python', { body })).toContain(
    [
      'answer = client.chat.completions.create(',
      '    model="a",',
      '    stream=True,',
      '    stop=None,',
      '    response_format={"strict": False, "x-y": [1, 0.5]},',
      ')',
      'for chunk in answer:',
    ].join('\n'),
  );
});

test('TypeScript code quotes only the names that need it, and breaks what is too long for a line', () => {
  const content = 'long '.repeat(20);
  const body = { model: 'a', messages: [{ role: 'user', content, 'x-y': [] }] };
  expect(code('typescript', { body })).toContain(
    [
      'const answer = await client.chat.completions.create({',
      '  model: "a",',
      '  messages: [',
      '    {',
      '      role: "user",',
      `      content: ${JSON.stringify(content)},`,
      '      "x-y": [],',
      '    },',
      '  ],',
      '});',
    ].join('\n'),
  );
});

test.each(LANGUAGES.map(({ id }) => id))('code in %s has the key itself only if it is given', (language) => {
  expect(code(language)).toContain('FAREGATE_KEY');
  expect(code(language, { apiKey: SECRET })).toContain(SECRET);
  expect(code(language, { apiKey: SECRET })).not.toContain('FAREGATE_KEY');
});

test.each(LANGUAGES.map(({ id }) => id))('code in %s asks for embeddings at their own endpoint', (language) => {
  const embeddings = code(language, { endpoint: 'embeddings', body: { model: 'a', input: 'text' } });
  expect(embeddings).toMatch(/v1\/embeddings|embeddings\.create/);
  expect(embeddings).not.toContain('chat');
});

test('code asks for a rerank by its path, as OpenAI’s SDKs have no method for it', () => {
  const rerank = { endpoint: 'rerank', body: { model: 'a', query: 'q', documents: ['d'] } } as const;
  expect(code('curl', rerank)).toContain(`curl ${ORIGIN}/v1/rerank`);
  expect(code('typescript', rerank)).toContain(
    [
      "const answer = await client.post<{ results: object[] }>('/rerank', {",
      '  body: { model: "a", query: "q", documents: ["d"] },',
      '});',
      'console.log(answer.results);',
    ].join('\n'),
  );
  expect(code('python', rerank)).toContain(
    [
      'answer = client.post(',
      '    "/rerank",',
      '    cast_to=object,',
      '    body={"model": "a", "query": "q", "documents": ["d"]},',
      ')',
      'print(answer["results"])',
    ].join('\n'),
  );
});
