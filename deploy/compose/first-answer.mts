import { execFileSync } from 'node:child_process';

// Makes a workspace with credit and a key, buys an answer of the sandbox, and prints its receipt.

const NAME = 'first-answer';
const { FAREGATE_PORT: port = '8080' } = process.env;

function faregate(...args: readonly string[]): string {
  return execFileSync('faregate', args, { encoding: 'utf8' });
}

const workspaces = JSON.parse(faregate('workspace', 'list', '--json')) as {
  readonly data: readonly { name: string }[];
};
if (!workspaces.data.some(({ name }) => name === NAME)) {
  faregate('workspace', 'create', NAME);
  faregate('project', 'create', NAME, 'web');
}
faregate('credit', 'grant', NAME, '1', '--reason', 'a first answer');
const { key } = JSON.parse(faregate('key', 'create', `${NAME}/web`, '--json')) as { readonly key: string };
const response = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
  method: 'POST',
  headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  body: JSON.stringify({ model: 'sandbox/echo', messages: [{ role: 'user', content: 'Hello, compose' }] }),
});
if (!response.ok) throw new Error(await response.text());
console.log(faregate('receipt', response.headers.get('x-request-id') ?? ''));
