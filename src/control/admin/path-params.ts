import { z } from '@hono/zod-openapi';
import { paramNames } from '../operations/operation.ts';
import { digestId, id } from './contract-fields.ts';

/** The schemas of the parameters of paths. */
const PARAMS: Readonly<Record<string, z.ZodType>> = {
  workspace: z.string().openapi({ description: 'Its id; the operator may use its name.' }),
  project: z.string().openapi({ description: 'Id or name.' }),
  key: z.string().openapi({ description: 'Its id, or the part between `fg_live_` and `…` in its masked form.' }),
  arrival: id.openapi({ description: 'The id of a workspace.' }),
  rule: id.openapi({ description: 'The id of an alert rule.' }),
  webhook: id.openapi({ description: 'The id of a webhook endpoint.' }),
  delivery: id.openapi({ description: 'The id of a delivery.' }),
  endUser: digestId.openapi({ description: 'The id of an end user.' }),
  sink: z.string().openapi({ description: 'Its name.' }),
  request_id: z.string().openapi({ description: 'Its `x-request-id`.' }),
  top_up: z.string().openapi({ description: 'Its id.' }),
  model: z.string().openapi({ description: 'Its id.' }),
  shard: z.string().openapi({ description: 'The two characters in the keys of a cell.' }),
  provider: z.string().openapi({ description: 'Its name.' }),
  token: z.string().openapi({ description: 'Its id or name.' }),
  batch: id,
  grant: id.openapi({ description: 'The id of a recurring grant.' }),
  event: id,
  id,
  invitation: id,
  user: id,
};

/** The schema of a path's parameters; an operation can override some. Null if the path has none. */
export function paramsSchema(path: string, own: Readonly<Record<string, z.ZodType>> = {}): z.ZodObject | null {
  const names = paramNames(path);
  if (names.length === 0) return null;
  return z.object(Object.fromEntries(names.map((name) => [name, own[name] ?? schemaOf(name)])));
}

function schemaOf(name: string): z.ZodType {
  const schema = PARAMS[name];
  if (schema === undefined) throw new Error(`The parameter ${name} of paths has no schema.`);
  return schema;
}
