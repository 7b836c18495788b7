import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { closeServer, listen } from '../../support/standInPortal.ts';

export interface DirectoryUser {
  id: number;
  type: string;
  email: string;
  firstName: string;
  lastName: string;
  roles: string[];
  organizationUnits: string[];
}

export interface Unit {
  id: string;
  name: string;
  parentId: string;
  directoryGroupId: string | null;
}

type Answer = { status: number; body?: unknown; headers?: Record<string, string> };

/** What a test may do to a request before it is served: answer it, or break the connection. */
export type Fault = (request: {
  method: string;
  path: string;
  body: any;
}) => Answer | 'break before' | 'break after' | undefined;

const keyOf = (email: string) => email.normalize('NFC').toLowerCase();

/**
 * A tenant in memory behind a real HTTP server: users with unique addresses, roles, units and items, paged by `page`
 * and `pageSize`. It records all requests.
 */
export const startDirectory = async (options: { fault?: Fault; pageSize?: number } = {}) => {
  const users = new Map<number, DirectoryUser>();
  const emails = new Map<string, number>();
  const roles: { id: number; name: string; type: string; code: string | null }[] = [];
  const addRole = (name: string, type = 'Report') =>
    roles.push({ id: roles.length + 1, name, type, code: null });
  for (const name of ['Readers', 'Managers', 'Writers']) addRole(name);
  const units: Unit[] = [];
  const items: { id: number; guid: string; workspaceId: string; reportId: string; displayName: string }[] =
    [];
  const writes: { method: string; path: string; body: any }[] = [];
  const state = { reads: 0, nextId: 1, fault: options.fault };

  const add = (input: Partial<DirectoryUser> & { email: string }): DirectoryUser => {
    const user: DirectoryUser = {
      type: 'UserPass',
      firstName: 'First',
      lastName: 'Last',
      roles: [],
      organizationUnits: [],
      ...input,
      id: state.nextId++,
    };
    users.set(user.id, user);
    emails.set(keyOf(user.email), user.id);
    return user;
  };
  const page = (rows: readonly unknown[], query: URLSearchParams): Answer => {
    const size = Math.min(Number(query.get('pageSize') ?? options.pageSize ?? 50), 200);
    const number = Number(query.get('page') ?? 1);
    return {
      status: 200,
      body: { items: rows.slice((number - 1) * size, number * size), totalCount: rows.length, page: number },
    };
  };
  let ordered: DirectoryUser[] | undefined;
  const changed = () => {
    ordered = undefined;
  };

  const serveUser = (method: string, id: number, body: any): Answer => {
    const user = users.get(id);
    if (user === undefined)
      return { status: 404, body: { error: { code: 'not_found', message: 'No such user.' } } };
    if (method === 'PATCH') Object.assign(user, body);
    if (method === 'DELETE') {
      users.delete(id);
      emails.delete(keyOf(user.email));
      return { status: 204 };
    }
    return { status: 200, body: user };
  };
  const answer = (method: string, url: URL, body: any): Answer => {
    const [, , collection, id] = url.pathname.split('/');
    if (method !== 'GET') changed();
    switch (`${method} ${collection}`) {
      case 'GET users':
        if (id !== undefined) return serveUser(method, Number(id), body);
        ordered ??= [...users.values()];
        return page(ordered, url.searchParams);
      case 'POST users':
        if (emails.has(keyOf(body.email)))
          return {
            status: 409,
            body: { error: { code: 'duplicate_email', message: 'The address is taken.' } },
          };
        return { status: 201, body: add(body) };
      case 'PATCH users':
      case 'DELETE users':
        return serveUser(method, Number(id), body);
      case 'GET roles':
        return { status: 200, body: { items: roles, totalCount: roles.length } };
      case 'POST roles':
        roles.push({ code: null, ...body, id: roles.length + 1 });
        return { status: 201, body: roles.at(-1) };
      case 'GET organization-units':
        return { status: 200, body: { items: units, totalCount: units.length } };
      case 'POST organization-units':
        units.push({ directoryGroupId: null, ...body, id: `ou-${units.length + 1}` });
        return { status: 201, body: units.at(-1) };
      case 'GET items':
        return { status: 200, body: { items, totalCount: items.length } };
      case 'POST items':
        items.push({
          ...body,
          id: items.length + 1,
          guid: `00000000-0000-4000-8000-${String(items.length).padStart(12, '0')}`,
        });
        return { status: 201, body: items.at(-1) };
      default:
        return { status: 404 };
    }
  };

  const handle = (request: IncomingMessage, response: ServerResponse, sent: string) => {
    const method = request.method ?? '';
    const url = new URL(request.url ?? '/', 'http://localhost');
    const body = sent === '' ? undefined : JSON.parse(sent);
    const fault = state.fault?.({ method, path: url.pathname, body });
    if (fault === 'break before') return void response.destroy();
    if (method === 'GET') state.reads += 1;
    else writes.push({ method, path: url.pathname, body });
    const reply = typeof fault === 'object' ? fault : answer(method, url, body);
    if (fault === 'break after') return void response.destroy();
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    response.end(reply.body === undefined ? undefined : JSON.stringify(reply.body));
  };
  const server = createServer(async (request, response) => {
    handle(request, response, await text(request));
  });
  return {
    baseUrl: await listen(server),
    users,
    roles,
    units,
    items,
    writes,
    state,
    add,
    addRole,
    changed,
    /** The users without their numbers, sorted by address, to compare two runs. */
    contents: () =>
      [...users.values()]
        .map((user) => ({
          ...user,
          id: undefined,
          email: keyOf(user.email),
          roles: user.roles.toSorted((one, other) => (one < other ? -1 : 1)),
          organizationUnits: user.organizationUnits.toSorted((one, other) => (one < other ? -1 : 1)),
        }))
        .toSorted((one, other) => (one.email < other.email ? -1 : 1)),
    close: () => closeServer(server),
  };
};

export type Directory = Awaited<ReturnType<typeof startDirectory>>;
