import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

// An instance's admin API for the commands' tests: it answers what it was told to, and remembers what it was asked.

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

export interface FakeInstance {
  readonly url: string;
  readonly asked: Asked[];
  /** The look-ups, which are not among `asked`: each finds its reference, with `/` as `~`, in workspace `w-1`. */
  readonly lookedUp: string[];
  /** What it answers to "METHOD path"; anything else is a 404. */
  readonly answers: Map<string, { readonly status: number; readonly body: unknown }>;
  close(): Promise<void>;
}

/** Starts one on an ephemeral port. */
export async function startFakeInstance(): Promise<FakeInstance> {
  const asked: Asked[] = [];
  const lookedUp: string[] = [];
  const answers: FakeInstance['answers'] = new Map();
  const server = createServer((request, response) => {
    const answerWhole = async (): Promise<void> => {
      const text = await readBody(request);
      const { method = '', url: path = '', headers } = request;
      if (path.startsWith(LOOK_UP)) {
        lookedUp.push(path);
        const [reference = ''] = new URLSearchParams(path.slice(LOOK_UP.length)).values();
        return answer(response, { status: 200, body: { workspace_id: 'w-1', id: reference.replace('/', '~') } });
      }
      asked.push({ method, path, authorization: headers.authorization, body: text === '' ? null : JSON.parse(text) });
      answer(response, answers.get(`${method} ${path}`) ?? NOT_FOUND);
    };
    answerWhole().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    lookedUp,
    answers,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const LOOK_UP = '/admin/v1/look-up?';

const NOT_FOUND = {
  status: 404,
  body: {
    error: { message: 'There is no such thing.', code: 'NOT_FOUND', param: null, type: 'invalid_request_error' },
  },
};

function answer(response: ServerResponse, { status, body }: { status: number; body: unknown }): void {
  const raw = Buffer.isBuffer(body);
  response.writeHead(status, { 'content-type': raw ? 'application/octet-stream' : 'application/json' });
  response.end(raw ? body : JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}
