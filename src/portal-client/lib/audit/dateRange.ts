import { PortalError } from '../errors/portalError.ts';

/** A point in time: a `Date`, or ISO 8601 with a zone; a date without a time is midnight UTC. */
export type Moment = Date | string;

/** Converts a moment to milliseconds since 1970. Throws if it is ambiguous. */
export const momentMs = (moment: Moment, option: string): number => {
  const isClear =
    moment instanceof Date || /^\d{4}-\d{2}-\d{2}(?:T.*(?:z|[+-]\d{2}:?\d{2}))?$/i.test(moment.trim());
  const ms = moment instanceof Date ? moment.getTime() : Date.parse(moment.trim());
  if (isClear && !Number.isNaN(ms)) return ms;
  throw new PortalError(
    `${option} is not a point in time: ${JSON.stringify(moment)}. Pass a Date, a date such as 2026-01-31, or ISO 8601 with a time zone, such as 2026-01-31T08:00:00Z.`,
    { kind: 'config', code: `bad_option_${option}` },
  );
};

/** The end of an open range: every service understands a full timestamp (docs/interface.md#4.5, `dateRange`). */
export const farFutureMs = Date.UTC(9999, 11, 31);

/** `<start>/<end>` as two full UTC timestamps: start inclusive, end exclusive (assumed). */
export const dateRange = (fromMs: number, toMs: number): string =>
  `${new Date(fromMs).toISOString()}/${new Date(toMs).toISOString()}`;
