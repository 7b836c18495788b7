const formOf = (dash: string, colon: string) =>
  new RegExp(
    `^(\\d{4})${dash}(\\d{2})${dash}(\\d{2})T(\\d{2})${colon}(\\d{2})(?:${colon}(\\d{2})(?:[.,](\\d{1,9}))?)?(Z|[+-]\\d{2}(?::?\\d{2})?)?$`,
    'i',
  );
const extendedForm = formOf('-', ':');
const basicForm = formOf('', '');

/**
 * Reads an ISO 8601 date and time, in the extended format or the basic one (`20261120T101500Z`), or returns undefined.
 * A time without a zone is UTC, whatever the machine's zone. Days that do not exist (February 30) are rejected.
 */
export const parseInstant = (text: string): number | undefined => {
  const match = extendedForm.exec(text) ?? basicForm.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second = '00', fraction = '0', zone = 'Z'] = match;
  const parts = [year, month, day, hour, minute, second].map(Number);
  const [y = 0, mo = 0, d = 0, h = 0, mi = 0, s = 0] = parts;
  const atMs = Date.UTC(y, mo - 1, d, h, mi, s, Math.floor(Number(`0.${fraction}`) * 1000));
  const seen = new Date(atMs);
  const isReal =
    seen.getUTCMonth() === mo - 1 && seen.getUTCDate() === d && h < 24 && mi < 60 && s < 60 && y >= 1000;
  if (!isReal) return undefined;
  const offset = offsetMinutes(zone);
  return offset === undefined ? undefined : atMs - offset * 60_000;
};

const offsetMinutes = (zone: string): number | undefined => {
  if (zone.toUpperCase() === 'Z') return 0;
  const sign = zone.startsWith('-') ? -1 : 1;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', '') || '0');
  return hours > 14 || minutes > 59 ? undefined : sign * (hours * 60 + minutes);
};
