import { createAdminApp } from '../../src/control/admin/admin-app.ts';
import type { ControlSql } from '../../src/lib/control-sql.ts';
import { adminDependencies } from './admin-dependencies.ts';
import { adminIdentity } from './admin-identity.ts';
import { type DescribedOperation, describedOperations } from './described-api.ts';
import { exampleAnswer, type ExampleChoice } from './example-answers.ts';

/** The operations of the admin API as its document describes them, without a database behind it. */
export async function operationsOfDocument(): Promise<readonly DescribedOperation[]> {
  const sql = {} as ControlSql;
  const app = createAdminApp({
    ...adminDependencies(sql),
    identity: adminIdentity(sql),
    identify: () => Promise.reject(new Error('nobody calls')),
  });
  return describedOperations((await (await app.request('/admin/openapi.json')).json()) as object);
}

/** The operation that a request calls, and an example of its answer. */
export function answerByExample(
  operations: readonly DescribedOperation[],
  { method, url: { pathname, searchParams } }: { readonly method: string; readonly url: URL },
  choice: Omit<ExampleChoice, 'cursor'>,
): { readonly operationId: string; readonly answer: unknown } {
  const operation = operations.find(
    (each) => each.method === method && new RegExp(`^${each.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
  );
  if (operation === undefined) throw new Error(`no operation is called by ${method} ${pathname}`);
  const cursor = searchParams.get('cursor');
  return { operationId: operation.operationId, answer: exampleAnswer(operation, { ...choice, cursor }) };
}
