import { EmbedError } from '../errors/embedError.ts';
import { type InspectedReport, inspectedReports, inspectors } from '../inspector.ts';

/** A failure of every key request. */
export type SimulatedFailure = 'offline' | 'internal_error';

let failure: SimulatedFailure | undefined;

/** Asks for a new key now. What comes of it is in the report's state. */
export const renew = ({ refresh }: InspectedReport): void => {
  refresh().catch(() => undefined);
};

/** Makes every key request fail from now on, or none; and has all reports ask, so that it shows. */
export const simulateFailure = (next: SimulatedFailure | undefined): void => {
  failure = next;
  for (const report of inspectedReports) renew(report);
};

/** The failure that is being simulated. */
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

/** Has the report's frames be late, as if the portal did not answer. */
export const slowFrame = ({ session, getFrames }: InspectedReport): void => {
  for (const frame of getFrames()) Object.assign(frame, { status: 'loading', openedAt: -Infinity });
  session.clock.scheduleCheck();
};
