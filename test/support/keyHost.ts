import { allowAll, type VitrineOptions } from '@vitrine/server';
import { connectionTo } from './standInPortal.ts';

/** Options that do not depend on the framework's request. */
export type HostOptions = Pick<
  VitrineOptions<never>,
  'keyLifetime' | 'allowedOrigins' | 'upstream' | 'logger'
> & {
  readonly canView?: (viewer: unknown, itemId: number) => boolean | Promise<boolean>;
};

/** The options of a mount with a cookie that contains the user name as its sign-in, read in the framework's own way. */
export const optionsFor = <TRequest>(
  portalUrl: string,
  cookieOf: (request: TRequest) => string | undefined,
  { canView = allowAll, ...options }: HostOptions,
): VitrineOptions<TRequest> => ({
  portal: connectionTo(portalUrl),
  viewer: (request) =>
    cookieOf(request) === 'north' && {
      userId: 'north.manager@acme.example',
      roleNames: ['region-north'],
    },
  canView,
  logger: false,
  ...options,
});
