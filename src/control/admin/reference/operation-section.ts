import { html } from 'hono/html';
import type { ApiDocument } from '../api-document.ts';
import { type Field, fieldsOf, type Schema, valuesOf } from './schema-fields.ts';

export type Html = ReturnType<typeof html>;

interface Content {
  readonly schema?: Schema;
  readonly example?: unknown;
}

interface Answer {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Readonly<Record<string, Content>>;
}

/** An operation as the document has it. */
export interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema?: Schema;
  }[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, Content>> };
  readonly responses?: Readonly<Record<string, Answer>>;
  readonly 'x-access'?: 'workspace' | 'operator' | 'personal' | 'public';
  readonly 'x-permission'?: string;
  readonly 'x-right'?: string;
  readonly 'x-recent-sign-in'?: boolean;
}

const ACCESS = {
  workspace: 'Members whose role has',
  operator: 'The operator.',
  personal: 'Signed-in users, about themselves.',
  public: 'Everybody.',
} as const;

/** The callers that may use it. */
function accessText(operation: Operation): Html {
  const access = operation['x-access'] ?? 'public';
  const recent = operation['x-recent-sign-in'] === true ? ' A session needs a sign-in of the last 15 minutes.' : '';
  const of =
    access === 'workspace'
      ? html` <code>${operation['x-permission'] ?? ''}</code>, and tokens with that scope.`
      : access === 'operator'
        ? html` Operator tokens need the right <code>${operation['x-right'] ?? ''}</code>.`
        : '';
  return html`<p class="about">${ACCESS[access]}${of}${recent}</p>`;
}

function tableOf(headings: readonly string[], rows: readonly Html[]): Html {
  return html`<div class="scroll">
    <table>
      <thead>
        <tr>
          ${headings.map((heading) => html`<th scope="col">${heading}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

function parametersSection(document: ApiDocument, { parameters = [] }: Operation): Html | '' {
  if (parameters.length === 0) return '';
  const rows = parameters.map(
    ({ name, in: place, required, description, schema = {} }) =>
      html`<tr>
        <td><code>${name}</code></td>
        <td>${place}${required === true ? ', required' : ''}</td>
        <td>${valuesOf(document, schema)}</td>
        <td>${description ?? schema.description ?? ''}</td>
      </tr>`,
  );
  return html`<h4>Parameters</h4>
    ${tableOf(['Parameter', 'In', 'Value', 'Meaning'], rows)}`;
}

function fieldsTable(fields: readonly Field[]): Html | '' {
  if (fields.length === 0) return '';
  const isDescribed = fields.some(({ description }) => description !== '');
  const rows = fields.map(
    ({ name, values, isRequired, description }) =>
      html`<tr>
        <td><code>${name}</code>${isRequired ? '' : html` <span class="about">optional</span>`}</td>
        <td>${values}</td>
        ${isDescribed ? html`<td>${description}</td>` : ''}
      </tr>`,
  );
  return tableOf(['Field', 'Value', ...(isDescribed ? ['Meaning'] : [])], rows);
}

function exampleOf({ example }: Content): Html | '' {
  return example === undefined ? '' : html`<pre>${JSON.stringify(example, null, 2)}</pre>`;
}

function bodySection(document: ApiDocument, { requestBody }: Operation): Html | '' {
  const body = requestBody?.content?.['application/json'];
  if (body?.schema === undefined) return '';
  return html`<h4>Body</h4>
    ${exampleOf(body)} ${fieldsTable(fieldsOf(document, body.schema))}`;
}

function answersSection(document: ApiDocument, { responses = {} }: Operation): Html {
  const isRefusal = ([, answer]: readonly [string, Answer]): boolean => answer.$ref !== undefined;
  const named = Object.entries(responses).filter(([status]) => status !== 'default');
  const answers = named
    .filter((each) => !isRefusal(each))
    .map(([status, answer]) => {
      const body = answer.content?.['application/json'];
      return html`<h4>Answer ${status}</h4>
        <p>${answer.description ?? ''}</p>
        ${body?.schema === undefined ? '' : fieldsTable(fieldsOf(document, body.schema))}`;
    });
  const refusals = named.filter(isRefusal).map(([status, { $ref = '' }]) => {
    const code = $ref.split('/').at(-1) ?? '';
    const answer = document.components?.responses?.[code] as Answer | undefined;
    const when = (answer?.description ?? '').replace(`\`${code}\`: `, '');
    return html`<tr>
      <td>${status}</td>
      <td>
        <a href="#error-${code}"><code>${code}</code></a>
      </td>
      <td>${when}</td>
    </tr>`;
  });
  return html`${answers}${
    refusals.length === 0
      ? ''
      : html`<h4>Refusals</h4>
          ${tableOf(['Status', 'Code', 'When'], refusals)}`
  }`;
}

/** An operation with all that a caller needs; closed until it is opened or linked to. */
export function operationSection(document: ApiDocument, method: string, path: string, operation: Operation): Html {
  return html`<details class="operation" id="${operation.operationId ?? ''}">
    <summary>
      <h3><code class="method">${method.toUpperCase()}</code> <code>${path}</code></h3>
      <span class="about">${operation.summary ?? ''}</span>
    </summary>
    <div>
      ${accessText(operation)} ${operation.description === undefined ? '' : html`<p>${operation.description}</p>`}
      ${parametersSection(document, operation)} ${bodySection(document, operation)}
      ${answersSection(document, operation)}
    </div>
  </details>`;
}
