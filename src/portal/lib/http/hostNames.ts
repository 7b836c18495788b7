import { isIP } from 'node:net';
import { invalidField } from './portalFailure.ts';

/** The origins of a portal. */
export interface HostNames {
  /** Origin of the API, the console and the control interface. */
  readonly apiUrl: string;
  /** Public origin of a tenant. */
  readonly tenantUrl: (tenancyName: string) => string;
  /** The tenant of a Host header, if any. */
  readonly tenancyOfHost: (host: string | undefined) => string | undefined;
  /** Whether a Host header is the portal's own: an address, `localhost`, or the host of `apiUrl`. */
  readonly isOwnHost: (host: string | undefined) => boolean;
}

/** Options of {@link createHostNames}. */
export interface HostNameOptions {
  /** Origin of the portal on its own machine. */
  readonly boundUrl: string;
  /** Public origin. Default: `boundUrl`. */
  readonly publicUrl?: string | undefined;
  /** Origin of a tenant, with `{tenant}` for its name. Default: `http://{tenant}.localhost:<port>`. */
  readonly tenantUrlTemplate?: string | undefined;
}

const placeholder = '{tenant}';
const label = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?';

/** The origin of an address without a path, if it is one. */
const originOf = (text: string): string | undefined => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
    ? url.origin
    : undefined;
};

/** Checks the public origin of the API, and returns its normal form. */
export const parsePublicUrl = (text: string): string => {
  const origin = originOf(text);
  if (origin !== undefined) return origin;
  throw invalidField('publicUrl', 'must be an origin such as http://portal.test:4400, without a path');
};

/** Checks the template of the tenants' origins, and returns it without a trailing slash. */
export const parseTenantUrlTemplate = (text: string): string => {
  const template = text.replace(/\/$/, '');
  if (
    /^https?:\/\/\{tenant\}\.[^{}]+$/.test(template) &&
    originOf(template.replace(placeholder, 'tenant')) !== undefined
  )
    return template;
  throw invalidField(
    'tenantUrlTemplate',
    'must be an origin whose first label is {tenant}, such as http://{tenant}.portal.test:4400',
  );
};

const nameOf = (host: string | undefined): string => (host ?? '').toLowerCase().replace(/:\d+$/, '');

/** Creates the origins of a listening portal. `*.localhost` always refers to a tenant, whatever the template. */
export const createHostNames = (options: HostNameOptions): HostNames => {
  const { port } = new URL(options.boundUrl);
  const apiUrl = options.publicUrl ?? options.boundUrl;
  const template = options.tenantUrlTemplate ?? `http://${placeholder}.localhost:${port}`;
  const [, suffix = ''] = template.split(placeholder);
  const ends = [nameOf(suffix), '.localhost'].map((end) => end.replaceAll('.', '\\.'));
  const pattern = new RegExp(`^(${label})(?:${ends.join('|')})$`);
  const apiName = nameOf(new URL(apiUrl).host);
  return {
    apiUrl,
    tenantUrl: (tenancyName) => template.replace(placeholder, tenancyName),
    tenancyOfHost: (host) => {
      const name = nameOf(host);
      return name === apiName ? undefined : pattern.exec(name)?.[1];
    },
    isOwnHost: (host) => {
      const name = nameOf(host).replace(/^\[(.*)\]$/, '$1');
      return name === '' || name === 'localhost' || name === apiName || isIP(name) !== 0;
    },
  };
};
