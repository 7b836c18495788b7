import { type Answer, createContext, type Fields, readListing, type Target } from '@vitrine/conformance';
import { UsageError } from '../../output/usageError.ts';

/** A list of the interface, and the field by which options name its rows. */
interface NamedIn {
  readonly path: string;
  readonly kind: string;
  readonly field: string;
  readonly options: Readonly<Record<string, string | number | undefined>>;
}

const namedIn = (target: Target): readonly NamedIn[] => [
  {
    path: '/v1/items',
    kind: 'item',
    field: 'id',
    options: {
      '--item-id': target.itemId,
      '--other-item-id': target.otherItemId,
      '--rls-item-id': target.rlsItemId,
    },
  },
  {
    path: '/v1/roles',
    kind: 'role',
    field: 'code',
    options: { '--role-name': target.roleName, '--other-role-name': target.otherRoleName },
  },
];

const mostShown = 10;

const show = (values: readonly (string | number)[]): string =>
  `${values.slice(0, mostShown).join(', ')}${values.length > mostShown ? ` and ${values.length - mostShown} more` : ''}`;

/** All rows of a list; `undefined` if it cannot be read or may be cut off. */
const readAll = (answer: Answer): readonly Fields[] | undefined => {
  try {
    const { rows, total = rows.length } = readListing(answer);
    const hasNext = /\brel="?next\b/.test(answer.headers['link'] ?? '');
    return total > rows.length || hasNext ? undefined : rows;
  } catch {
    return undefined;
  }
};

/**
 * Throws a {@link UsageError} if a list of the portal certainly lacks an item or a role that an option names. If the
 * list cannot be read or has other fields, the checks decide.
 */
export const requireNamed = async (target: Target, signal: AbortSignal): Promise<void> => {
  const { admin } = createContext(target, 'named', signal);
  for (const { path, kind, field, options } of namedIn(target)) {
    const named = Object.entries(options).filter(([, value]) => value !== undefined);
    const answer = named.length === 0 ? undefined : await admin('GET', path).catch(() => undefined);
    const rows = answer && readAll(answer);
    const values = rows
      ?.map((row) => row[field])
      .filter((value) => typeof value === 'string' || typeof value === 'number');
    if (rows === undefined || values === undefined || (rows.length > 0 && values.length === 0)) continue;
    const missing = named.find(([, value]) => !values.some((each) => String(each) === String(value)));
    if (missing === undefined) continue;
    const [option, value] = missing;
    throw new UsageError(
      `${option} is ${JSON.stringify(value)}, but GET ${path} lists no such ${kind}. ${rows.length === 0 ? 'The list is empty' : `It lists: ${show(values)}`}.`,
    );
  }
};
