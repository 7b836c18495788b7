import { checkViewer, findMisspelling } from '../access/checkViewer.ts';
import type { HostCalls } from '../access/createHostCalls.ts';
import { copyViewer } from '../access/identity.ts';
import { isThenable } from '../access/isThenable.ts';
import type { Viewer } from '../access/viewer.ts';
import type { ParsedOptions } from '../options/parseVitrineOptions.ts';
import { KeyRequestError } from './keyRequestError.ts';

/** The result of `viewer`, and its checked copy. */
export interface KnownViewer<TViewer> {
  readonly viewer: TViewer;
  readonly checked: Viewer;
}

const invalidViewer = (problem: string, hint: string): KeyRequestError =>
  new KeyRequestError({ code: 'internal_error' }, { origin: 'host', problem, hint });

/** Calls `viewer`. Throws a {@link KeyRequestError} if nobody is signed in or the result is not valid. */
export const readViewer = async <TRequest, TViewer extends Viewer>(
  request: TRequest,
  {
    options,
    hostCalls,
  }: { readonly options: ParsedOptions<TRequest, TViewer>; readonly hostCalls: HostCalls },
): Promise<KnownViewer<TViewer>> => {
  const found = hostCalls('viewer', () => options.viewer(request));
  const viewer = (isThenable(found) ? await found : found) || undefined;
  if (viewer === undefined) throw new KeyRequestError({ code: 'signed_out' }, { origin: 'rules' });
  const checked = copyViewer(viewer);
  const wrong = checkViewer(checked, options.strictRls);
  if (wrong !== undefined) throw invalidViewer(wrong, 'See the option strictRls and the callback viewer.');
  const misspelled = checked.roleNames === undefined ? findMisspelling(viewer) : undefined;
  if (misspelled !== undefined)
    throw invalidViewer(
      misspelled,
      'Write "roleNames" for the roles of row-level security. For other roles, also return "roleNames", which may be an empty list, or leave them out.',
    );
  return { viewer, checked };
};
