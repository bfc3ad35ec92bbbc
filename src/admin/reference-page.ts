import { hash } from 'node:crypto';
import { html, raw } from 'hono/html';
import type { OpenAPIHono } from '@hono/zod-openapi';

// The admin API's reference for people: one page, out of the document, that fetches nothing.

type Document = ReturnType<OpenAPIHono['getOpenAPI31Document']>;
type Operation = NonNullable<NonNullable<Document['paths']>[string]['get']>;
type Html = ReturnType<typeof html>;

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a; }
section { border-top: 1px solid #ccc; padding: .5rem 0; }
h2 { font-size: 1rem; } code, pre { font: 14px/1.4 ui-monospace, monospace; }
pre { background: #f5f5f5; padding: .75rem; overflow-x: auto; }
@media (prefers-color-scheme: dark) { body { background: #141414; color: #e6e6e6; } pre { background: #222; } }
`;

const METHODS = ['get', 'post', 'patch'] as const;

/** A body's schema, with the names of shared parts resolved so that the page reads without jumping. */
function schemaText(document: Document, content: unknown): string {
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    const name = '$ref' in value ? String(value.$ref).split('/').at(-1) : undefined;
    if (name !== undefined) return resolve(document.components?.schemas?.[name]);
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolve(inner)]));
  };
  return JSON.stringify(resolve(content), null, 2);
}

/** The JSON that a request's or an answer's description speaks of, if it does. */
function jsonOf(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('content' in body)) return undefined;
  const { content } = body;
  return typeof content === 'object' && content !== null && 'application/json' in content
    ? content['application/json']
    : undefined;
}

function bodySection(document: Document, title: string, content: unknown): Html | '' {
  if (typeof content !== 'object' || content === null || !('schema' in content)) return '';
  return html`<details>
    <summary>${title}</summary>
    <pre>${schemaText(document, content.schema)}</pre>
  </details>`;
}

function operationSection(document: Document, method: string, path: string, operation: Operation): Html {
  const answers = Object.entries<unknown>(operation.responses ?? {}).filter(([status]) => status !== 'default');
  return html`<section>
    <h2><code>${method.toUpperCase()} ${path}</code></h2>
    <p>${operation.summary ?? ''}</p>
    ${bodySection(document, 'Body', jsonOf(operation.requestBody))}
    ${answers.map(([status, answer]) => bodySection(document, `Answer ${status}`, jsonOf(answer)))}
  </section>`;
}

/** The page, and the content security policy under which it shows itself and nothing else. */
export function referencePage(document: Document): { readonly html: Html; readonly policy: string } {
  const sections = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [operationSection(document, method, path, operation)];
    }),
  );
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${document.info.title}</title>
        <style>
          ${raw(STYLE)}
        </style>
      </head>
      <body>
        <h1>${document.info.title}</h1>
        <p>Every call needs the operator token: <code>Authorization: Bearer …</code>. Bodies are JSON.</p>
        <p>
          The same for programs: <a href="/admin/openapi.json"><code>/admin/openapi.json</code></a>
        </p>
        ${sections}
      </body>
    </html>`;
  const policy = `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; frame-ancestors 'none'`;
  return { html: page, policy };
}
