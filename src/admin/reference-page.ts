import { hash } from 'node:crypto';
import { html, raw } from 'hono/html';
import type { OpenAPIHono } from '@hono/zod-openapi';

// The admin API's reference for people: one page, rendered from the document, that fetches nothing.

type Document = ReturnType<OpenAPIHono['getOpenAPI31Document']>;
type Operation = NonNullable<NonNullable<Document['paths']>[string]['get']>;
type Html = ReturnType<typeof html>;

interface ParameterSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly description?: string;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: ParameterSchema;
}

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#ccc, #444); --raised: light-dark(#f5f5f5, #222); }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem;
  background: light-dark(#fff, #141414); color: light-dark(#1a1a1a, #e6e6e6); }
a { color: light-dark(#0645ad, #8ab4f8); }
section { border-top: 1px solid var(--line); padding: .5rem 0; }
h2 { font-size: 1rem; overflow-wrap: anywhere; } code, pre { font: 14px/1.4 ui-monospace, monospace; }
pre { background: var(--raised); padding: .75rem; overflow-x: auto; }
table { border-collapse: collapse; } th, td { text-align: left; vertical-align: top; padding: .15rem 1rem .15rem 0; }
th { font-weight: 600; border-bottom: 1px solid var(--line); }
`;

const METHODS = ['get', 'post', 'patch', 'delete'] as const;

/** A body's schema with references resolved, so that the page can be read from top to bottom. */
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

/** The JSON schema of a request's or a response's content, if it has one. */
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

/** A parameter's type or values, and its bounds, in words. */
function valuesText(schema: ParameterSchema): string {
  const { type, enum: values, format, pattern, minimum, maximum } = schema;
  if (values !== undefined) return values.join(', ');
  const bounds = [minimum === undefined ? '' : `from ${minimum}`, maximum === undefined ? '' : `to ${maximum}`];
  return [type, format, pattern, ...bounds].filter(Boolean).join(' ');
}

function parametersSection(parameters: readonly Parameter[]): Html | '' {
  if (parameters.length === 0) return '';
  const rows = parameters.map(
    ({ name, in: place, required, description, schema = {} }) =>
      html`<tr>
        <td><code>${name}</code></td>
        <td>${place}${required === true ? ', required' : ''}</td>
        <td>${valuesText(schema)}</td>
        <td>${description ?? schema.description ?? ''}</td>
      </tr>`,
  );
  return html`<table>
    <thead>
      <tr>
        <th scope="col">Parameter</th>
        <th scope="col">In</th>
        <th scope="col">Value</th>
        <th scope="col"></th>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}

function operationSection(document: Document, method: string, path: string, operation: Operation): Html {
  const answers = Object.entries<unknown>(operation.responses ?? {}).filter(([status]) => status !== 'default');
  return html`<section>
    <h2><code>${method.toUpperCase()} ${path}</code></h2>
    <p>${operation.summary ?? ''}</p>
    ${parametersSection((operation.parameters ?? []) as readonly Parameter[])}
    ${bodySection(document, 'Body', jsonOf(operation.requestBody))}
    ${answers.map(([status, answer]) => bodySection(document, `Answer ${status}`, jsonOf(answer)))}
  </section>`;
}

/**
 * The page, and a content security policy that allows this page's style and nothing else. The policy has the hash of
 * the style, so the element holds exactly that text, without white space around it.
 */
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
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${document.info.title}</title>
        ${raw(`<style>${STYLE}</style>`)}
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
