import { EmbedError } from '../errors/embedError.ts';
import { type InspectedReport, inspectedReports, inspectors } from '../inspectors.ts';

/** A failure of every key request. */
export type SimulatedFailure = 'offline' | 'internal_error';

let failure: SimulatedFailure | undefined;

/** Requests a new key now. The report's state shows the result. */
export const renew = ({ refresh }: InspectedReport): void => {
  refresh().catch(() => undefined);
};

/** Makes every key request fail, or none, and refreshes all reports. */
export const simulateFailure = (next: SimulatedFailure | undefined): void => {
  failure = next;
  for (const report of inspectedReports) renew(report);
};

/** The simulated failure. */
export const simulatedFailure = (): SimulatedFailure | undefined => failure;

inspectors.add(({ type }) => {
  if (type === 'request' && failure) throw new EmbedError(failure, { requestId: 'simulated' });
});

/** Lets the keys of a report's frames expire now. */
export const expireKey = ({ session, getFrames }: InspectedReport): void => {
  const now = session.clock.now();
  for (const { key } of getFrames()) Object.assign(key, { refreshAt: now, expiresAt: now });
  session.clock.scheduleCheck();
};

/** Makes the report's frames slow, as if the portal did not respond. */
export const slowFrame = ({ session, getFrames }: InspectedReport): void => {
  for (const frame of getFrames()) Object.assign(frame, { status: 'loading', openedAt: -Infinity });
  session.clock.scheduleCheck();
};
