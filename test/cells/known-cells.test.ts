import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createAdminClient } from '../../src/control/admin/client.ts';
import { addCell, SANDBOX, startCells, tokenFile } from '../support/cells.ts';
import type { Program } from '../support/program.ts';

// What an operator has a cell know of other cells: commands against two started cells.

let zero: Program;
let one: Program;
const running = new AsyncDisposableStack();

beforeAll(async () => {
  [zero, one] = await startCells(running, SANDBOX);
});
afterAll(() => running.disposeAsync());

/** The origin of a server of the test's own. */
async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function refusalOf(shard: string, address: string, token = one.operatorToken): Promise<string> {
  const file = await tokenFile(zero, token);
  const { code, stderr } = await zero.cli('cell', 'add', shard, address, '--token-file', file);
  expect(code).toBe(1);
  return stderr;
}

test('a cell that answers and has the shard is added, listed with its program, and forgotten', async () => {
  await addCell(zero, '01', one);
  const listed = await zero.cli('cell', 'list');
  expect(listed.stdout).toMatch(new RegExp(`^SHARD.*\n00 +this cell +.*\n01 +${one.url} +\\d+\\.\\d+\\.\\d+`));
  await addCell(zero, '01', one);
  expect((await zero.admin.listCells()).data).toMatchObject([{ shard: '01', version: 2, problem: null }]);
  expect((await zero.cli('cell', 'remove', '01', '--yes')).stdout).toBe('Forgot the cell 01.\n');
  expect((await zero.admin.listCells()).data).toEqual([]);
});

test('what is not another cell with that shard is not added, and the refusal says why', async () => {
  const closed = createServer();
  const nobody = await listening(closed);
  await new Promise((resolve) => closed.close(resolve));
  const page: RequestListener = (_, response) => response.end('<html>hello</html>');
  const redirect: RequestListener = (_, response) =>
    response.writeHead(302, { location: `${one.url}/admin/v1/status` }).end();
  const old: RequestListener = (_, response) => response.end('{"version":"0.2.0","ready":true}');
  const reasons: readonly (readonly [string, string, string, string?])[] = [
    ['02', one.url, 'The cell there has the shard 01, not 02'],
    ['00', one.url, '00 is the shard of this cell itself'],
    ['01', zero.url, 'This is the address of this cell itself', zero.operatorToken],
    ['01', nobody, 'no instance answers there (ECONNREFUSED)'],
    ['01', await listening(createHttpServer(page)), 'what answers there is no Faregate (HTTP 200)'],
    ['01', await listening(createHttpServer(redirect)), 'what answers there is no Faregate (HTTP 302)'],
    ['01', await listening(createHttpServer(old)), 'does not say its shard: upgrade that cell first'],
    ['01', await listening(createServer()), 'it has not answered within 1000 ms'],
    ['01', 'http://cell.example', 'is not https'],
    ['01', 'https://user:secret@cell.example', 'has credentials in it'],
    ['é1', one.url, 'must be two letters or digits'],
  ];
  for (const [shard, address, why, token] of reasons) {
    expect({ address, stderr: await refusalOf(shard, address, token) }).toEqual({
      address,
      stderr: expect.stringContaining(why),
    });
  }
  expect(await refusalOf('01', one.url, 'fg_op_wrong')).toContain('it refuses: ');
  expect((await zero.admin.listCells()).data).toEqual([]);
});

test('the token of a cell is in no answer, no audit event and no row in clear', async () => {
  await addCell(zero, '01', one);
  await addCell(zero, '01', one);
  const sql = await zero.openDatabase();
  const [rows, events] = await Promise.all([
    sql.query<{ row: string }>('select cells::text as row from cells'),
    sql.query<{ row: string }>(`select audit_events::text as row from audit_events where action like 'cell.%'`),
  ]);
  const answers = [await zero.admin.listCells(), rows, events, zero.stderr(), zero.stdout()];
  const token = one.operatorToken;
  expect(rows).toHaveLength(1);
  expect(events.length).toBeGreaterThan(1);
  for (const hidden of [token, Buffer.from(token).toString('hex'), Buffer.from(token).toString('base64')]) {
    expect(JSON.stringify(answers)).not.toContain(hidden);
  }
});

test('a list waits for a cell that stays silent for a second, and says that it is late', async () => {
  const silent = await listening(createServer());
  const sql = await zero.openDatabase();
  await addCell(zero, '01', one);
  await sql.query('update cells set url = $1', [silent]);
  const startMs = performance.now();
  const { data } = await zero.admin.listCells();
  expect(data).toMatchObject([{ shard: '01', figures: null, problem: 'it has not answered within 1000 ms' }]);
  expect(performance.now() - startMs).toBeLessThan(10_000);
  await addCell(zero, '01', one);
});

test('a cell is not forgotten while a workspace has moved there, or keys of it are here', async () => {
  await addCell(zero, '01', one);
  await addCell(one, '00', zero);
  const { workspaceId } = await zero.createTenant();
  const { keyId } = await one.createTenant();
  const [at, there] = [await zero.openDatabase(), await one.openDatabase()];
  await at.query(`update workspaces set moved_to = '01' where id = $1`, [workspaceId]);
  expect((await zero.cli('cell', 'remove', '01', '--yes')).stderr).toMatch(
    /The workspace "tenant \d+" has moved there/,
  );
  await expect(at.query(`delete from cells`)).rejects.toThrow('workspaces_moved_to_fkey');
  // As a key that has come with its workspace.
  await there.query(`update keys set public_id = '00' || substr(public_id, 3) where id = $1`, [keyId]);
  expect((await one.cli('cell', 'remove', '00', '--yes')).stderr).toMatch(
    /The workspace "tenant \d+" has come from there/,
  );
  await at.query(`update workspaces set moved_to = null`);
  await there.query(`delete from keys where id = $1`, [keyId]);
  await one.json('cell', 'remove', '00', '--yes');
  await zero.json('cell', 'remove', '01', '--yes');
});

test('a read-only operator lists cells, and adds and forgets none', async () => {
  const { token } = (await zero.admin.createOperatorToken({ name: 'reader', read_only: true })) as { token: string };
  const reader = createAdminClient({ url: zero.url, token });
  expect(await reader.listCells()).toMatchObject({ own: { shard: '00' }, data: [] });
  await expect(reader.storeCell('01', { url: one.url, token: 'x' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(reader.deleteCell('01')).rejects.toMatchObject({ code: 'FORBIDDEN' });
});
