import { hash } from 'node:crypto';
import { html, raw } from 'hono/html';
import type { ApiDocument } from '../api-document.ts';
import { type Html, type Operation, operationSection } from './operation-section.ts';
import { STYLE } from './reference-style.ts';

// The admin API's reference for people: one page, rendered from the document, that fetches nothing and runs no script.

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const THEMES = ['System', 'Light', 'Dark'] as const;

interface Listed {
  readonly tag: string;
  readonly section: Html;
}

function operationsOf(document: ApiDocument): readonly Listed[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method] as Operation | undefined;
      if (operation === undefined) return [];
      return [{ tag: operation.tags?.[0] ?? 'Others', section: operationSection(document, method, path, operation) }];
    }),
  );
}

function errorsSection(document: ApiDocument): Html {
  const errors = Object.entries(document.components?.responses ?? {}).map(([code, answer]) => {
    const { description = '', content = {} } = answer as {
      description?: string;
      content?: Record<string, { example?: unknown }>;
    };
    return html`<div class="operation" id="error-${code}">
      <h4><code>${code}</code></h4>
      <p>${description.replace(`\`${code}\`: `, '')}</p>
      <pre>${JSON.stringify(content['application/json']?.example, null, 2)}</pre>
    </div>`;
  });
  return html`<h2 id="errors">Errors</h2>
    ${errors}`;
}

function outline(tags: readonly string[]): Html {
  return html`<nav class="outline" aria-label="Parts of the API">
    <ul>
      ${tags.map((tag) => html`<li><a href="#${anchorOf(tag)}">${tag}</a></li>`)}
      <li><a href="#errors">Errors</a></li>
    </ul>
  </nav>`;
}

function anchorOf(tag: string): string {
  return `tag-${tag.toLowerCase().replaceAll(' ', '-')}`;
}

function themes(): Html {
  return html`<fieldset class="theme">
    ${THEMES.map(
      (theme) =>
        html`<label
          ><input type="radio" name="theme" id="theme-${theme.toLowerCase()}" ${theme === 'System' ? 'checked' : ''} />
          ${theme}</label
        >`,
    )}
  </fieldset>`;
}

/**
 * The page, and a content security policy that allows this page's style and nothing else. The policy has the hash of
 * the style, so the element holds exactly that text, without white space around it.
 */
export function referencePage(document: ApiDocument): { readonly html: Html; readonly policy: string } {
  const operations = operationsOf(document);
  const tags = [...new Set(operations.map(({ tag }) => tag))].toSorted();
  const parts = tags.map(
    (tag) =>
      html`<h2 id="${anchorOf(tag)}">${tag}</h2>
        ${operations.filter((each) => each.tag === tag).map(({ section }) => section)}`,
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
        <div class="page">
          ${outline(tags)}
          <main>
            <h1>${document.info.title}</h1>
            <p>
              Programs send a token, <code>Authorization: Bearer …</code>: an operator's, or a member's access token.
              Browsers send their session's cookie. Bodies are JSON.
            </p>
            <p>
              The same for programs: <a href="/admin/openapi.json"><code>/admin/openapi.json</code></a>
            </p>
            ${themes()} ${parts} ${errorsSection(document)}
          </main>
        </div>
      </body>
    </html>`;
  const policy = `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; frame-ancestors 'none'`;
  return { html: page, policy };
}
