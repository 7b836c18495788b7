import { type Check, stated } from '../check.ts';
import { type CheckContext, unknownViewer } from '../createContext.ts';
import { Difference, must, need } from '../difference.ts';
import { mustSucceed, readListing } from '../readers.ts';
import { hasUser } from './hasUser.ts';

/** Values of a key that may change the rows of its report. */
interface Session {
  readonly userId: string;
  readonly roleNames: readonly string[] | undefined;
}

const ofRole = (code: string): Session => ({ userId: unknownViewer, roleNames: [code] });

type Words = ReadonlySet<string>;

const rounds = 3;
/** Enough to find a difference in most tenants, and few keys in the others. */
const mostTried = 5;
const mostRolesOfViewer = 20;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** The words of a report page, without those that repeat the key or the session. */
const openWords = async (
  { mintKey, openReport }: CheckContext,
  report: { readonly itemId: number; readonly repeated: readonly string[]; readonly expiration: string },
  session: Session,
): Promise<Words> => {
  const { itemId, repeated, expiration } = report;
  const key = await mintKey({ value: { ...session, reportId: itemId, expiration } });
  const page = await openReport(itemId, key);
  mustSucceed(page, 'opening a report with row-level security');
  const text = [key, ...repeated]
    .flatMap((name) => [name, encodeURIComponent(name)])
    .reduce((rest, name) => rest.replaceAll(name, ' '), page.text);
  return new Set(text.match(/[\p{L}\p{N}.]+/gu));
};

const hasOwnWord = ([first, ...more]: readonly Words[], others: readonly Words[]): boolean =>
  [...(first ?? [])].some(
    (word) => more.every((page) => page.has(word)) && !others.some((page) => page.has(word)),
  );

/**
 * Whether the report pages of two sessions differ in more than the names of the session. The interface fixes no format
 * of the page, so any word counts that all pages of one session have and none of the other. The pages are opened in
 * turn with keys that expire at the same time, so that neither a random value nor a clock is such a word.
 */
const havePagesOfTheirOwn = async (
  context: CheckContext,
  sessions: readonly [Session, Session],
  report: { readonly itemId: number; readonly repeated: readonly string[] },
): Promise<boolean> => {
  const expiration = new Date(Date.now() + 1_800_000).toISOString();
  const pages: readonly [Words[], Words[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, session] of sessions.entries())
      pages[index]?.push(await openWords(context, { ...report, expiration }, session));
    if (!hasOwnWord(pages[0], pages[1]) && !hasOwnWord(pages[1], pages[0])) return false;
  }
  return true;
};

/** For sessions that nobody named: the service may refuse them. */
const orFalse = (error: unknown): boolean => {
  if (error instanceof Difference) return false;
  throw error;
};

const rlsRoles = async ({ admin }: CheckContext) =>
  readListing(await admin('GET', '/v1/roles')).rows.filter(({ type }) => type === 'RLS');

const causes = 'the rows are the same, the page loads its rows later, or the service ignores';

export const rowSecurityChecks: readonly Check[] = [
  stated('4.6', 'keys with different roleNames open different rows of a report', {
    effect: 'mint',
    quotes: [
      '| value.roleNames | array of string | no | RLS roles applied to the session |',
      'obtains an embed token for the BI platform with the RLS context',
    ],
    run: async (context) => {
      const { otherRoleName } = context.target;
      const { itemId, roleName } = await context.rls();
      const roles = await rlsRoles(context);
      const codes = roles.map(({ code }) => code).filter(isText);
      const namedOr = (found: string) =>
        context.target.roleName ?? codes.find((code) => code !== otherRoleName) ?? found;
      const tried =
        otherRoleName === undefined
          ? [...new Set([roleName, ...codes])].slice(0, mostTried)
          : [...new Set([namedOr(roleName), otherRoleName])];
      need(tried.length > 1, 'needs a second RLS role: name one (--other-role-name)');
      const repeated = [...tried, ...roles.map(({ name }) => name).filter(isText)];
      for (const [index, code] of tried.slice(1).entries()) {
        const pair = [ofRole(tried[index] ?? ''), ofRole(code)] as const;
        const differ = havePagesOfTheirOwn(context, pair, { itemId, repeated });
        if (await (otherRoleName === undefined ? differ.catch(orFalse) : differ)) return;
      }
      const alike = `the same page of report ${itemId} for the roles ${tried.join(', ')}`;
      must(otherRoleName === undefined, 'other rows for each role in the page', alike);
      need(
        false,
        `needs two RLS roles with different rows in the report page: name them (--role-name, --other-role-name). Seen: ${alike}; ${causes} roleNames. If the page loads its rows later, open the report with a key for each role, and compare the rows`,
      );
    },
  }),
  stated('4.6', 'keys for different viewers open the rows of their own viewer', {
    effect: 'mint',
    quotes: [
      '| value.userId | string | yes | Identity of the viewing user; passed to the BI platform and used by DAX functions such as USERNAME() and USERPRINCIPALNAME() for dynamic RLS |',
    ],
    run: async (context) => {
      const { viewer } = context.target;
      const { itemId, roleName } = await context.rls();
      const users = readListing(await context.admin('GET', '/v1/users')).rows;
      const emails = users.map(({ email }) => email).filter(isText);
      const viewers = viewer === undefined ? emails.slice(0, mostTried) : [viewer];
      need(viewers.length > 0, 'needs a user with rows of their own: name one (--viewer)');
      const codes = (await rlsRoles(context)).map(({ code }) => code).filter(isText);
      const roles = [undefined, ...new Set([roleName, ...codes])];
      for (const code of roles.slice(0, viewer === undefined ? 2 : mostRolesOfViewer))
        for (const userId of viewers) {
          const roleNames = code === undefined ? undefined : [code];
          const names = users.flatMap(({ email, firstName, lastName, displayName }) =>
            email === userId ? [firstName, lastName, displayName].filter(isText) : [],
          );
          const pair = [
            { userId: unknownViewer, roleNames },
            { userId, roleNames },
          ] as const;
          const repeated = [unknownViewer, userId, ...names];
          if (await havePagesOfTheirOwn(context, pair, { itemId, repeated }).catch(orFalse)) return;
        }
      const alike = `the same page of report ${itemId} for an unknown user and ${viewer ?? `${viewers.length} users of the tenant`}`;
      if (viewer !== undefined) {
        need(
          await hasUser(context, viewer),
          `needs a user of the tenant with rows of their own: GET /v1/users does not list "${viewer}" (--viewer). Seen: ${alike}`,
        );
        throw new Difference('rows of their own for the viewer', alike);
      }
      need(
        false,
        `needs a user with rows of their own in the report page, according to a rule with USERNAME(): name one (--viewer). Seen: ${alike}; ${causes} userId. If the page loads its rows later, open the report with a key for each of two users, and compare the rows`,
      );
    },
  }),
];
