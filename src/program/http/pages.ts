import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { acceptedCoding, type ContentCoding } from './accepted-coding.ts';
import { readStaticFiles, type StaticFile } from './static-files.ts';

// The console and the manual: files that were read into memory at the start. Requests can only name files found then, so no
// path leads outside. What browsers navigate to below the console's own paths is its one page; a program that has a wrong
// base URL never gets a page.

/** `scripts`: the hashes of the scripts in the page itself. */
function securityHeaders(scripts: readonly string[]) {
  const sources = ["'self'", ...scripts.map((hash) => `'${hash}'`)].join(' ');
  return {
    'content-security-policy': `default-src 'none'; script-src ${sources}; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'cross-origin-opener-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  } as const;
}

/** Their names contain a hash of their content. */
const HASHED = '/assets/';
const FOR_EVER = 'public, max-age=31536000, immutable';

/** The paths of the console's routes, which its one page serves. */
const CONSOLE_PATH =
  /^\/(?:(?:sign-in|set-up|invitation|reset-password|sign-up|keys)?$|(?:account|workspaces|operator)(?:\/|$))/;

const NOT_BUILT = `The console is not built.

Run "npm ci" in the program's folder, or "npm run prepare" if all packages are there, and start the program again.
The API below /v1 and the admin API below /admin work without it.
`;

/** Answers a GET or HEAD request with a page; false if there is none for it. */
export type ServePage = (requestId: string, path: string, response: ServerResponse) => boolean;

export interface Pages {
  readonly serve: ServePage;
  /** Whether the console is among them. */
  readonly hasConsole: boolean;
}

/** Reads the pages of a folder. @throws Error if they are more than fit into memory */
export async function loadPages(folder: string): Promise<Pages> {
  const files = await readStaticFiles(folder);
  const index = files.get('/');
  const serve: ServePage = (requestId, path, response) => {
    const { headers } = response.req;
    const file = files.get(path);
    if (file !== undefined) {
      answerFile(requestId, response, file, path.startsWith(HASHED));
      return true;
    }
    if (!CONSOLE_PATH.test(path) || (path !== '/' && !isNavigation(headers))) return false;
    if (index === undefined) answerNotBuilt(requestId, response);
    else answerFile(requestId, response, index, false);
    return true;
  };
  return { serve, hasConsole: [...files.keys()].some((path) => path.startsWith(HASHED)) };
}

function isNavigation({ accept = '' }: IncomingHttpHeaders): boolean {
  return accept.toLowerCase().includes('text/html');
}

function answerFile(requestId: string, response: ServerResponse, file: StaticFile, isHashed: boolean): void {
  const { headers, method } = response.req;
  const { bodies, hash, type, scripts } = file;
  const coding = acceptedCoding(codingsOf(headers), new Set(bodies.keys()));
  const etag = etagOf(hash, coding);
  const validators = {
    'x-request-id': requestId,
    'cache-control': isHashed ? FOR_EVER : 'no-cache',
    etag,
    vary: isHashed ? 'accept-encoding' : 'accept-encoding, accept',
    ...securityHeaders(scripts),
  };
  if (names(headers['if-none-match'], etag)) {
    response.writeHead(304, validators).end();
    return;
  }
  const body = bodies.get(coding) ?? Buffer.alloc(0);
  response.writeHead(200, {
    ...validators,
    'content-type': type,
    'content-length': body.length,
    ...(coding === 'identity' ? {} : { 'content-encoding': coding }),
  });
  response.end(method === 'HEAD' ? undefined : body);
}

function codingsOf(headers: IncomingHttpHeaders): string | undefined {
  const given = headers['accept-encoding'];
  return Array.isArray(given) ? given.join(',') : given;
}

/** Each coding has a validator of its own, because its bytes are its own. */
function etagOf(hash: string, coding: ContentCoding): string {
  return coding === 'identity' ? `"${hash}"` : `"${hash}-${coding}"`;
}

/** Whether the header `If-None-Match` names this validator, or any. */
function names(header: string | undefined, etag: string): boolean {
  return (header ?? '').split(',').some((each) => ['*', etag].includes(each.trim().replace(/^W\//, '')));
}

function answerNotBuilt(requestId: string, response: ServerResponse): void {
  response.writeHead(503, {
    'x-request-id': requestId,
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    ...securityHeaders([]),
  });
  response.end(response.req.method === 'HEAD' ? undefined : NOT_BUILT);
}
