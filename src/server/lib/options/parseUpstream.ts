import { checkNames, fail, isWholeBetween, kindOf, shown } from './checkOptions.ts';
import type { UpstreamOptions } from './vitrineOptions.ts';

const upstreamRanges: Readonly<
  Record<keyof Omit<UpstreamOptions, 'retry' | 'ca' | 'tls' | 'dispatcher'>, readonly [number, number]>
> = {
  connections: [1, 4096],
  attemptTimeoutMs: [100, 60_000],
  totalTimeoutMs: [100, 120_000],
  maxQueue: [0, 1_000_000],
};

/** Checks the option `upstream` and fills in the defaults. */
export const parseUpstream = (given: UpstreamOptions = {}) => {
  checkNames('upstream', given, [...Object.keys(upstreamRanges), 'retry', 'ca', 'tls', 'dispatcher']);
  for (const [name, [low, high]] of Object.entries(upstreamRanges)) {
    // Every name of the table is one of the options.
    const value = given[name as keyof typeof upstreamRanges];
    if (value !== undefined && !isWholeBetween(value, low, high))
      return fail(
        'invalid_upstream',
        `Option "upstream.${name}" must be a whole number between ${low} and ${high}; it is ${shown(value)}.`,
      );
  }
  if (given.retry !== undefined && typeof given.retry !== 'boolean')
    return fail(
      'invalid_upstream',
      `Option "upstream.retry" must be true or false; it is ${shown(given.retry)}.`,
    );
  const certificates: readonly unknown[] = [given.ca ?? []].flat();
  for (const one of certificates)
    if (typeof one !== 'string' || !one.includes('-----BEGIN CERTIFICATE-----'))
      return fail(
        'invalid_upstream',
        `Option "upstream.ca" must be the text of certificates (PEM), not a file name; it is ${typeof one === 'string' ? 'text without "-----BEGIN CERTIFICATE-----"' : kindOf(one)}. Pass readFileSync("authority.pem", "utf8").`,
      );
  const {
    connections = 64,
    totalTimeoutMs = 9000,
    maxQueue = 1000,
    retry = true,
    ca,
    tls,
    dispatcher,
  } = given;
  const { attemptTimeoutMs = totalTimeoutMs } = given;
  if (attemptTimeoutMs > totalTimeoutMs)
    return fail(
      'invalid_upstream',
      `Option "upstream" has attemptTimeoutMs ${attemptTimeoutMs} above totalTimeoutMs ${totalTimeoutMs}. Raise totalTimeoutMs or lower attemptTimeoutMs.`,
    );
  const client = {
    maxRetries: retry ? 1 : 0,
    dispatcher,
    tls: ca === undefined ? tls : { ...tls, ca: [tls?.ca ?? [], ca].flat() },
  };
  return { client, connections, attemptTimeoutMs, totalTimeoutMs, maxQueue };
};
