import type { AdminApp } from './route-access.ts';
import { errorBody, publicErrorBody } from './contract.ts';
import { errorComponents, publicErrorAnswer } from './error-answers.ts';

// The OpenAPI document of the admin API, made from the declarations of its routes.

export type ApiDocument = ReturnType<AdminApp['getOpenAPI31Document']>;

/** The document. Slow: it is made once. */
export function makeApiDocument(app: AdminApp): ApiDocument {
  const { openAPIRegistry: registry } = app;
  registry.registerComponent('securitySchemes', 'operatorToken', { type: 'http', scheme: 'bearer' });
  registry.register('Error', errorBody);
  registry.register('PublicError', publicErrorBody);
  for (const { code, answer } of errorComponents({ $ref: '#/components/schemas/Error' })) {
    registry.registerComponent('responses', code, answer);
  }
  const publicError = publicErrorAnswer({ $ref: '#/components/schemas/PublicError' });
  registry.registerComponent('responses', 'PUBLIC_API', publicError);
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'Faregate admin API', version: '1' },
    security: [{ operatorToken: [] }],
  });
  return withPlainPatterns(document);
}

/** The generator writes a regular expression's flags behind it. JSON Schema has no flags: patterns are Unicode. */
function withPlainPatterns(document: ApiDocument): ApiDocument {
  const text = JSON.stringify(document, (name, value: unknown) =>
    name === 'pattern' && typeof value === 'string' ? value.replace(/\/u$/, '') : value,
  );
  return JSON.parse(text) as ApiDocument;
}
