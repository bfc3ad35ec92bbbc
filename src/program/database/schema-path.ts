import pg from 'pg';

// How statements find a schema that has been named: each sets `search_path` for its own transaction. A startup option or a
// `SET` would be state of a session, which a pooler in transaction mode refuses, forgets or lends to others.

/** PostgreSQL's name for a schema in a statement. */
export function quotedSchema(schema: string): string {
  return `"${schema}"`;
}

/** The statement by which a transaction, or a procedure that commits, enters the schema. */
export function enterSchema(schema: string): string {
  return `set local search_path to ${quotedSchema(schema)}`;
}

/** A call of a procedure that commits, which can't run behind another statement: it enters the schema itself. */
const CALL = /^call (?=\w)/;

/**
 * Runs one statement in the schema and in a transaction of its own, by one round trip. The driver's result, or results, of
 * which the last is the statement's.
 */
export function queryInSchema<Row extends object>(
  client: pg.ClientBase,
  schema: string,
  config: pg.QueryConfig & { readonly query_timeout: number },
): Promise<pg.QueryResult<Row> | pg.QueryResult<Row>[]> {
  if (CALL.test(config.text)) {
    const text = config.text.replace(CALL, `call ${quotedSchema(schema)}.`);
    return client.query<Row>({ ...config, text });
  }
  const path = enteringQuery(schema);
  // The simple protocol has no values; its statements are one transaction.
  if ((config.values?.length ?? 0) === 0 && config.name === undefined) {
    return client.query<Row>({ ...config, text: `${path}; ${config.text}` });
  }
  return new Promise((resolve, reject) => {
    const query = new pg.Query<Row>(config, (error, result) => {
      if (error) reject(error);
      else resolve(result);
    });
    const submit = query.submit.bind(query);
    query.submit = (connection) => {
      // All messages up to the driver's Sync, which ends the statement, are one transaction.
      connection.stream.cork();
      connection.parse({ name: '', text: path, types: [] }, true);
      connection.bind({}, true);
      connection.execute(null, true);
      const refused = submit(connection);
      connection.stream.uncork();
      return refused;
    };
    client.query(Object.assign(query, { query_timeout: config.query_timeout }));
  });
}

/** Enters the schema without a row: the driver would take it for one of the statement that follows. */
function enteringQuery(schema: string): string {
  return `select from set_config('search_path', '${quotedSchema(schema)}', true) entered where entered is null`;
}
