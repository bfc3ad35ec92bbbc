import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from './api-error.ts';
import { callApi } from './client.ts';
import { guardSession } from './session-gate.ts';

const fetched = vi.fn<(path: string, init: RequestInit) => Promise<Response>>();
const confirm = vi.fn<() => Promise<boolean>>();
const ended = vi.fn<() => void>();

let release = () => undefined as unknown;
beforeEach(() => {
  for (const mock of [fetched, confirm, ended]) mock.mockReset();
  vi.stubGlobal('fetch', fetched);
  release = guardSession({ confirm, ended });
});
afterEach(() => {
  release();
  vi.unstubAllGlobals();
});

function refused(status: number, param: string | null): Response {
  const error = { message: 'No.', type: 'invalid_request_error', code: 'C', param };
  return Response.json({ error }, { status, headers: { 'x-request-id': 'r' } });
}

test('a change is sent with the session’s cookie, as JSON, and with the version that it is of', async () => {
  fetched.mockResolvedValue(Response.json({ id: 'i' }));
  const { signal } = new AbortController();
  const answer = await callApi('PATCH /workspaces/{workspace}/projects/{project}', {
    workspace: 'w',
    project: 'a/b',
    body: { name: 'Ada' },
    version: 0,
    signal,
  });
  expect(answer).toEqual({ id: 'i' });
  expect(fetched.mock.calls).toEqual([
    [
      '/admin/v1/workspaces/w/projects/a%2Fb',
      {
        method: 'PATCH',
        headers: { accept: 'application/json', 'content-type': 'application/json', 'if-match': '"0"' },
        credentials: 'same-origin',
        body: '{"name":"Ada"}',
        signal,
      },
    ],
  ]);
});

test('a question has neither a body nor a version', async () => {
  fetched.mockResolvedValue(Response.json({}));
  await callApi('GET /users', { query: { search: 'b c', limit: 2, cursor: null } });
  expect(fetched.mock.calls).toEqual([
    [
      '/admin/v1/users?search=b+c&limit=2',
      { method: 'GET', headers: { accept: 'application/json' }, credentials: 'same-origin' },
    ],
  ]);
});

test('a request that takes a recent sign-in is repeated once, after the user has proved who they are', async () => {
  fetched.mockResolvedValueOnce(refused(401, 'recent_sign_in')).mockResolvedValueOnce(Response.json({ id: 'i' }));
  confirm.mockResolvedValue(true);
  await expect(callApi('POST /workspaces', { body: { name: 'n' } })).resolves.toEqual({ id: 'i' });
  expect(fetched.mock.calls[1]).toEqual(fetched.mock.calls[0]);
  expect(fetched).toHaveBeenCalledTimes(2);
  expect(ended).not.toHaveBeenCalled();
});

// What is refused, and what follows: how often it was sent, whether the user was asked, and whether the session is over.
test.each([
  ['a session that is over', 401, null, false, { sent: 1, asked: 0, over: 1 }],
  ['a user who does not prove who they are', 401, 'recent_sign_in', false, { sent: 1, asked: 1, over: 0 }],
  ['a wrong code', 401, 'code', false, { sent: 1, asked: 0, over: 0 }],
  ['a wrong password at the sign-in', 401, null, true, { sent: 1, asked: 0, over: 0 }],
  ['a sign-in that takes a recent one', 401, 'recent_sign_in', true, { sent: 1, asked: 0, over: 0 }],
  ['a role without the right', 403, null, false, { sent: 1, asked: 0, over: 0 }],
  ['a bug', 500, null, false, { sent: 1, asked: 0, over: 0 }],
] as const)(
  'the refusal of %s is given on as it is',
  async (_, status, param, answersSignIn, { sent, asked, over }) => {
    fetched.mockResolvedValue(refused(status, param));
    confirm.mockResolvedValue(false);
    const fault: unknown = await callApi('DELETE /session', { answersSignIn }).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(ApiError);
    expect(fault).toMatchObject({ status, code: 'C', param, message: 'No.', requestId: 'r' });
    expect([fetched, confirm, ended].map(({ mock }) => mock.calls.length)).toEqual([sent, asked, over]);
  },
);

test('a second refusal, after the user has proved who they are, is final', async () => {
  fetched.mockImplementation(() => Promise.resolve(refused(401, 'recent_sign_in')));
  confirm.mockResolvedValue(true);
  await expect(callApi('DELETE /session')).rejects.toMatchObject({ status: 401 });
  expect([fetched, confirm].map(({ mock }) => mock.calls.length)).toEqual([2, 1]);
});

test('a server that cannot be reached is an error with the status 0, which people can read', async () => {
  fetched.mockRejectedValue(new TypeError('Failed to fetch'));
  await expect(callApi('GET /me')).rejects.toMatchObject({
    status: 0,
    code: 'UNREACHABLE',
    message: 'The server could not be reached. Check your connection, then try again.',
  });
});

test('a request that was given up is no error of the server', async () => {
  const aborted = new DOMException('aborted', 'AbortError');
  fetched.mockRejectedValue(aborted);
  await expect(callApi('GET /me')).rejects.toBe(aborted);
});

test('an answer of a proxy, which is no JSON, is named by its status', async () => {
  fetched.mockResolvedValue(new Response('<html>', { status: 502 }));
  await expect(callApi('GET /me')).rejects.toMatchObject({
    status: 502,
    code: 'HTTP_502',
    param: null,
    message: 'The server answered 502.',
    requestId: null,
  });
});
