import { type StandInAnswer, startStandInPortal } from '../../support/standInPortal.ts';

export interface DirectoryUser {
  id: number;
  type: string;
  email: string;
  firstName: string;
  lastName: string;
  roles: string[];
  organizationUnits: string[];
}

/** What a client sends of a user; other resources have other fields, which are stored as they are. */
type UserBody = Partial<DirectoryUser> & Pick<DirectoryUser, 'email'>;

interface Unit {
  id: string;
  name: string;
  parentId: string;
  directoryGroupId: string | null;
}

interface Write {
  method: string;
  path: string;
  body: any;
}

/** What a test may do to a request before it is served: answer it, or break the connection. */
export type Fault = (request: Write) => StandInAnswer | 'break before' | 'break after' | undefined;

const keyOf = (email: string) => email.normalize('NFC').toLowerCase();

const refuse = (status: number, code: string): StandInAnswer => ({
  status,
  body: { error: { code, message: `Refused: ${code}.` } },
});

/**
 * A tenant in memory behind a real HTTP server: users with unique addresses, paged by `page` and `pageSize`, roles,
 * units and items. It records all requests.
 */
export const startDirectory = async (fault?: Fault) => {
  const users = new Map<number, DirectoryUser>();
  const emails = new Set<string>();
  const roles: { id: number; name: string; type: string; code: string | null }[] = [];
  const addRole = (name: string, type = 'Report') =>
    roles.push({ id: roles.length + 1, name, type, code: null });
  for (const name of ['Readers', 'Managers', 'Writers']) addRole(name);
  const units: Unit[] = [];
  const items: { id: number; guid: string; workspaceId: string; reportId: string; displayName: string }[] =
    [];
  const writes: Write[] = [];
  const state = { reads: 0, fault };
  let nextId = 1;

  const add = (input: UserBody): DirectoryUser => {
    const user: DirectoryUser = {
      type: 'UserPass',
      firstName: 'First',
      lastName: 'Last',
      roles: [],
      organizationUnits: [],
      ...input,
      id: nextId++,
    };
    users.set(user.id, user);
    emails.add(keyOf(user.email));
    return user;
  };
  const answerUser = (user: DirectoryUser, method: string, body: UserBody): StandInAnswer => {
    if (method === 'PATCH') Object.assign(user, body);
    if (method !== 'DELETE') return { body: user };
    users.delete(user.id);
    emails.delete(keyOf(user.email));
    return { status: 204 };
  };
  const answerUsers = (method: string, query: URLSearchParams, body: UserBody): StandInAnswer => {
    if (method === 'POST')
      return emails.has(keyOf(body.email))
        ? refuse(409, 'duplicate_email')
        : { status: 201, body: add(body) };
    const size = Math.min(Number(query.get('pageSize') ?? 50), 200);
    const page = Number(query.get('page') ?? 1);
    const rows = [...users.values()].slice((page - 1) * size, page * size);
    return { body: { items: rows, totalCount: users.size, page } };
  };
  /** The other collections: their rows, and a new row without its fields. */
  const collections: Readonly<Record<string, readonly [rows: object[], create: () => object]>> = {
    roles: [roles, () => ({ code: null, id: roles.length + 1 })],
    'organization-units': [units, () => ({ directoryGroupId: null, id: `ou-${units.length + 1}` })],
    items: [items, () => ({ id: items.length + 1, guid: crypto.randomUUID() })],
  };
  const answer = (method: string, { pathname, searchParams }: URL, body: UserBody): StandInAnswer => {
    const [, , collection = '', id] = pathname.split('/');
    if (collection === 'users' && id === undefined) return answerUsers(method, searchParams, body);
    const user = users.get(Number(id));
    if (user !== undefined) return answerUser(user, method, body);
    const [rows, create] = collections[collection] ?? [];
    if (rows === undefined || create === undefined) return refuse(404, 'not_found');
    if (method === 'GET') return { body: { items: rows, totalCount: rows.length } };
    rows.push({ ...create(), ...body });
    return { status: 201, body: rows.at(-1) ?? {} };
  };

  const server = await startStandInPortal();
  server.answer = ({ method, url, body: sent }, response) => {
    const target = new URL(url, 'http://localhost');
    const request = { method, path: target.pathname, body: sent === '' ? undefined : JSON.parse(sent) };
    const fault = state.fault?.(request);
    if (fault === 'break before') return void response.destroy();
    if (method === 'GET') state.reads += 1;
    else writes.push(request);
    const reply = typeof fault === 'object' ? fault : answer(method, target, request.body);
    return fault === 'break after' ? void response.destroy() : reply;
  };
  return {
    baseUrl: server.url,
    users,
    roles,
    units,
    items,
    writes,
    state,
    add,
    addRole,
    /** The users without their numbers, sorted by address, to compare two runs. */
    contents: () =>
      [...users.values()]
        .map((user) => ({
          ...user,
          id: undefined,
          email: keyOf(user.email),
          roles: user.roles.toSorted(),
          organizationUnits: user.organizationUnits.toSorted(),
        }))
        .toSorted((one, other) => (one.email < other.email ? -1 : 1)),
    close: server.close,
  };
};

export type Directory = Awaited<ReturnType<typeof startDirectory>>;
