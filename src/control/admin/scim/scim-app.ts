import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { DirectoryRequest } from '../../identity/directory/directory-change.ts';
import {
  addGroup,
  changeGroup,
  type GroupFilter,
  listGroups,
  removeGroup,
  showGroup,
} from '../../identity/directory/directory-groups.ts';
import { findDirectory, type KnownDirectory } from '../../identity/directory/directory-tokens.ts';
import {
  addPerson,
  changePerson,
  type DirectoryUser,
  listPeople,
  type PersonFilter,
  removePerson,
  showPerson,
} from '../../identity/directory/directory-users.ts';
import { isRefusal, refuse, type Refusal } from '../../../domain/refusals.ts';
import type { Sql } from '../../../lib/sql.ts';
import { TokenBuckets } from '../../../lib/token-buckets.ts';
import { BODY_BYTES_MAX } from '../guards.ts';
import { bearerOf } from '../identify.ts';
import type { AdminEnv } from '../route-access.ts';
import { InTurn } from './in-turn.ts';
import { type Attributes, flagOf, objectOf } from './scim-attributes.ts';
import { providerConfig, resourceTypes, schemas } from './scim-discovery.ts';
import { groupJson, readGroup, readPatchedGroup } from './scim-group.ts';
import { listJson, type ListRequest, projected, readListRequest } from './scim-lists.ts';
import { readOperations } from './scim-patch.ts';
import { answerScimRefusal, scimAnswer, scimRefusal } from './scim-refusals.ts';
import { readNewUser, readPatchedUser, readReplacedUser, userJson } from './scim-user.ts';

// SCIM 2.0 (RFC 7643, 7644), by which a company's directory says who its people and groups are.

/** The path of the API. */
export const SCIM_ROOT = '/scim/v2';

/** Directories send a change for each person, at the first time for all of them. */
const REQUESTS_PER_SECOND = 50;
const RATE = { burst: 500, everyMs: 1_000 / REQUESTS_PER_SECOND };
const DIRECTORIES_MAX = 10_000;
const JSON_TYPE = /^application\/(?:scim\+)?json\s*(;|$)/i;

interface ScimEnv {
  readonly Variables: AdminEnv['Variables'] & { directory: KnownDirectory };
}

interface ScimParts {
  readonly sql: Sql;
  readonly publicUrl: () => string;
  /** What a fault means to the caller. */
  readonly refusalOfFault: (fault: unknown) => Refusal;
}

/** The API for directories. Middleware before it identifies the request's visitor and limits concurrency. */
export function createScimApp({ sql, publicUrl, refusalOfFault }: ScimParts): Hono<ScimEnv> {
  const app = new Hono<ScimEnv>();
  const root = (): string => publicUrl() + SCIM_ROOT;
  app.onError((fault, c) => answerScimRefusal(c, refusalOfFault(fault)));
  app.use('*', onlyDirectories(sql));
  app.use('*', onlyJson, bodyLimit({ maxSize: BODY_BYTES_MAX, onError: (c) => answerScimRefusal(c, tooLarge()) }));
  app.get('/ServiceProviderConfig', (c) => scimAnswer(c, providerConfig(root())));
  addDescriptions(app, '/ResourceTypes', () => resourceTypes(root()));
  addDescriptions(app, '/Schemas', () => schemas(root()));
  addUsers(app, { sql, root });
  addGroups(app, { sql, root });
  app.all('*', (c) => answerScimRefusal(c, refuse('NOT_FOUND', 'There is nothing at this path.')));
  return app;
}

function tooLarge(): Refusal {
  return refuse('REQUEST_TOO_LARGE', `The body may have ${BODY_BYTES_MAX} bytes at most.`);
}

/** Lets directories pass that show their token and are not too fast. Changes of one wait for each other without a connection. */
function onlyDirectories(sql: Sql): MiddlewareHandler<ScimEnv> {
  const rates = new TokenBuckets(RATE, DIRECTORIES_MAX);
  const turns = new InTurn();
  return async (c, next) => {
    const { places, visitor } = c.var;
    const directory = await places.hold('identification', visitor.site, () =>
      findDirectory(sql, bearerOf(c.req.header('authorization')) ?? ''),
    );
    if (isRefusal(directory)) return answerScimRefusal(c, directory);
    if (directory === null) {
      return answerScimRefusal(c, refuse('UNAUTHENTICATED', 'The token of the directory is unknown, or has ended.'));
    }
    const { workspaceId } = directory;
    const nowMs = Math.floor(performance.now());
    const retryAfterMs = rates.waitMs(workspaceId, nowMs);
    if (retryAfterMs > 0) {
      const message = `A directory may send ${REQUESTS_PER_SECOND} requests a second: slow down.`;
      return answerScimRefusal(c, refuse('RATE_LIMITED', message, { retryAfterMs }));
    }
    rates.take(workspaceId, nowMs);
    c.set('directory', directory);
    const serve = async (): Promise<null> => {
      await next();
      return null;
    };
    const refused = await places.hold('directories', workspaceId, () =>
      c.req.method === 'GET' ? serve() : turns.take(workspaceId, serve),
    );
    return refused === null ? undefined : answerScimRefusal(c, refused);
  };
}

const onlyJson: MiddlewareHandler = async (c, next) => {
  const type = c.req.header('content-type');
  if (type === undefined || JSON_TYPE.test(type)) return await next();
  const message = 'The body must be JSON: send "Content-Type: application/scim+json".';
  return answerScimRefusal(c, refuse('UNSUPPORTED_MEDIA_TYPE', message));
};

function addDescriptions(app: Hono<ScimEnv>, path: string, describe: () => readonly { readonly id: string }[]): void {
  app.get(path, (c) => {
    const all = describe();
    return scimAnswer(c, listJson(all, all.length, { offset: 0, count: all.length }));
  });
  app.get(`${path}/:id`, (c) => {
    const found = describe().find(({ id }) => id === c.req.param('id'));
    return found === undefined ? answerScimRefusal(c, nothingNamed(c)) : scimAnswer(c, found);
  });
}

function nothingNamed(c: Context): Refusal {
  return refuse('NOT_FOUND', `There is no "${(c.req.param('id') ?? '').slice(0, 100)}".`);
}

/** Reads the attributes of the body as the reader does, or refuses them. */
async function readBody<Result>(
  c: Context,
  read: (attributes: Attributes) => Result | Refusal,
): Promise<Result | Refusal> {
  let body: unknown;
  try {
    body = await c.req.json();
  } catch {
    return scimRefusal('invalidSyntax', 'The body is not valid JSON.');
  }
  const attributes = objectOf(body, 'The body');
  return isRefusal(attributes) ? attributes : read(attributes);
}

interface ResourceParts {
  readonly sql: Sql;
  readonly root: () => string;
}

type ScimContext = Context<ScimEnv>;

function requestOf(sql: Sql, c: ScimContext): DirectoryRequest {
  return { sql, directory: c.var.directory, visitor: c.var.visitor };
}

/** Answers with a resource, or its refusal. */
function answer(
  c: ScimContext,
  resource: Readonly<Record<string, unknown>> | Refusal,
  status: 200 | 201 = 200,
): Response {
  if (isRefusal(resource)) return answerScimRefusal(c, resource);
  const { meta } = resource as { readonly meta?: { readonly location?: string } };
  if (status === 201 && meta?.location !== undefined) c.header('location', meta.location);
  return scimAnswer(
    c,
    projected((name) => c.req.query(name), resource),
    status,
  );
}

function answerList<Field extends string>(
  c: ScimContext,
  { part }: ListRequest<Field>,
  { resources, total }: { readonly resources: readonly Readonly<Record<string, unknown>>[]; readonly total: number },
): Response {
  const shown = resources.map((resource) => projected((name) => c.req.query(name), resource));
  return scimAnswer(c, listJson(shown, total, part));
}

const USERS = '/Users';
const ONE_USER = `${USERS}/:id`;

const USER_FIELDS = new Map([
  ['id', 'id'],
  ['username', 'userName'],
  ['externalid', 'externalId'],
  ['displayname', 'displayName'],
  ['active', 'active'],
  ['emails', 'email'],
  ['emails.value', 'email'],
] as const);

function textsOf<Field extends string>(
  asked: ReadonlyMap<Field, string | boolean>,
): { readonly [Name in Field]?: string } {
  const entries = Array.from(asked, ([name, value]) => [name, String(value)]);
  return Object.fromEntries(entries) as { readonly [Name in Field]?: string };
}

function personFilterOf(asked: ReadonlyMap<keyof PersonFilter, string | boolean>): PersonFilter | Refusal {
  const { active: word, ...texts } = textsOf(asked);
  if (word === undefined) return texts;
  const active = flagOf(word, 'active');
  return isRefusal(active) ? scimRefusal('invalidFilter', active.message) : { ...texts, active };
}

function addUsers(app: Hono<ScimEnv>, { sql, root }: ResourceParts): void {
  app.get(USERS, async (c) => {
    const request = readListRequest((name) => c.req.query(name), USER_FIELDS);
    if (isRefusal(request)) return answerScimRefusal(c, request);
    const filter = personFilterOf(request.asked);
    if (isRefusal(filter)) return answerScimRefusal(c, filter);
    const { total, people } = await listPeople(sql, c.var.directory.workspaceId, { filter, part: request.part });
    return answerList(c, request, { total, resources: people.map((user) => userJson(user, root())) });
  });
  const shown = async (user: Promise<DirectoryUser | Refusal>) => {
    const found = await user;
    return isRefusal(found) ? found : userJson(found, root());
  };
  app.post(USERS, async (c) => {
    const fields = await readBody(c, readNewUser);
    if (isRefusal(fields)) return answerScimRefusal(c, fields);
    return answer(c, await shown(addPerson(requestOf(sql, c), fields)), 201);
  });
  app.get(ONE_USER, async (c) =>
    answer(c, await shown(showPerson(sql, c.var.directory.workspaceId, c.req.param('id')))),
  );
  app.put(ONE_USER, async (c) => {
    const change = await readBody(c, readReplacedUser);
    if (isRefusal(change)) return answerScimRefusal(c, change);
    return answer(c, await shown(changePerson(requestOf(sql, c), c.req.param('id'), () => change)));
  });
  app.patch(ONE_USER, async (c) => {
    const operations = await readBody(c, readOperations);
    const change = isRefusal(operations) ? operations : readPatchedUser(operations);
    if (isRefusal(change)) return answerScimRefusal(c, change);
    return answer(c, await shown(changePerson(requestOf(sql, c), c.req.param('id'), () => change)));
  });
  app.delete(ONE_USER, async (c) => {
    const refused = await removePerson(requestOf(sql, c), c.req.param('id'));
    return refused === null ? c.body(null, 204) : answerScimRefusal(c, refused);
  });
}

const GROUP_FIELDS = new Map([
  ['id', 'id'],
  ['displayname', 'displayName'],
  ['externalid', 'externalId'],
  ['members', 'member'],
  ['members.value', 'member'],
] as const);

function addGroups(app: Hono<ScimEnv>, { sql, root }: ResourceParts): void {
  app.get('/Groups', async (c) => {
    const request = readListRequest((name) => c.req.query(name), GROUP_FIELDS);
    if (isRefusal(request)) return answerScimRefusal(c, request);
    const filter: GroupFilter = textsOf(request.asked);
    const { total, groups } = await listGroups(sql, c.var.directory.workspaceId, { filter, part: request.part });
    return answerList(c, request, { total, resources: groups.map((group) => groupJson(group, root())) });
  });
  app.post('/Groups', async (c) => {
    const fields = await readBody(c, readGroup);
    if (isRefusal(fields)) return answerScimRefusal(c, fields);
    const group = await addGroup(requestOf(sql, c), fields);
    return answer(c, isRefusal(group) ? group : groupJson(group, root()), 201);
  });
  app.get('/Groups/:id', async (c) => {
    const group = await showGroup(sql, c.var.directory.workspaceId, c.req.param('id'));
    return answer(c, isRefusal(group) ? group : groupJson(group, root()));
  });
  app.put('/Groups/:id', async (c) => {
    const fields = await readBody(c, readGroup);
    if (isRefusal(fields)) return answerScimRefusal(c, fields);
    const group = await changeGroup(requestOf(sql, c), c.req.param('id'), () => fields);
    return answer(c, isRefusal(group) ? group : groupJson(group, root()));
  });
  // Without a body: that of a large group has all its members.
  app.patch('/Groups/:id', async (c) => {
    const operations = await readBody(c, readOperations);
    if (isRefusal(operations)) return answerScimRefusal(c, operations);
    const group = await changeGroup(requestOf(sql, c), c.req.param('id'), (before) =>
      readPatchedGroup(operations, before),
    );
    return isRefusal(group) ? answerScimRefusal(c, group) : c.body(null, 204);
  });
  app.delete('/Groups/:id', async (c) => {
    const refused = await removeGroup(requestOf(sql, c), c.req.param('id'));
    return refused === null ? c.body(null, 204) : answerScimRefusal(c, refused);
  });
}
