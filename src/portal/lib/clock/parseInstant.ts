const dayMs = 86_400_000;
const dateForm = /^(\d{4})(-?)(?:(\d{2})\2(\d{2})|(\d{3})|W(\d{2})\2([1-7]))$/;
const timeForm =
  /^(\d{2})(?:(:?)(\d{2})(?:\2(\d{2}))?)?(?:[.,](\d{1,9}))?(?:Z|([+-])(\d{2})(?::?(\d{2}))?)?$/;

/**
 * Reads an ISO 8601 date as the start of its day in UTC, or returns undefined: a calendar date (`2026-11-20`), an
 * ordinal date (`2026-324`) or a week date (`2026-W47-5`), each also in the basic format. Days that do not exist
 * (February 30) are rejected.
 */
export const parseDay = (text: string): number | undefined => {
  const match = dateForm.exec(text.toUpperCase());
  if (match === null) return undefined;
  const [year = 0, , month, day, ofYear, week, weekday] = match
    .slice(1)
    .map((part) => (part === undefined ? undefined : Number(part)));
  if (year < 1000) return undefined;
  if (week !== undefined && weekday !== undefined) {
    // Week 1 is that of January 4.
    const fourth = Date.UTC(year, 0, 4);
    const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * dayMs;
    const atMs = monday + ((week - 1) * 7 + weekday - 1) * dayMs;
    const thursday = new Date(atMs + (4 - weekday) * dayMs);
    return week > 0 && thursday.getUTCFullYear() === year ? atMs : undefined;
  }
  const atMs = ofYear === undefined ? Date.UTC(year, (month ?? 0) - 1, day) : Date.UTC(year, 0, ofYear);
  const seen = new Date(atMs);
  const isReal = ofYear === undefined ? seen.getUTCDate() === day : ofYear > 0;
  return isReal && seen.getUTCFullYear() === year ? atMs : undefined;
};

/**
 * Reads an ISO 8601 date and time, in the extended format or the basic one (`20261120T101500Z`), or returns undefined.
 * The last part may have a decimal fraction; what is finer than a millisecond is rounded up, as a bound of whole ones. A time without a zone is UTC, whatever the machine's zone.
 */
export const parseInstant = (text: string): number | undefined => {
  const [date = '', time = '', ...more] = text.toUpperCase().split('T');
  const dayStartMs = parseDay(date);
  const match = timeForm.exec(time);
  if (dayStartMs === undefined || match === null || more.length > 0) return undefined;
  const [, hour, colon, minute, second, fraction = '0', sign, zoneHour = '0', zoneMinute = '0'] = match;
  if (colon !== undefined && (colon === ':') !== date.includes('-')) return undefined;
  const [h, m, s] = [hour, minute ?? 0, second ?? 0].map(Number) as [number, number, number];
  const unitMs = second !== undefined ? 1000 : minute !== undefined ? 60_000 : 3_600_000;
  const inDayMs =
    (h * 60 + m) * 60_000 + s * 1000 + Math.ceil(Number((Number(`0.${fraction}`) * unitMs).toFixed(6)));
  // 24:00 is the end of the day, and 23:59:60 a leap second.
  const isReal = h <= 24 && m < 60 && s <= (m === 59 ? 60 : 59) && inDayMs <= dayMs;
  if (!isReal || Number(zoneHour) > 14 || Number(zoneMinute) > 59) return undefined;
  const offsetMs = (Number(zoneHour) * 60 + Number(zoneMinute)) * 60_000;
  return dayStartMs + inDayMs - (sign === '-' ? -offsetMs : offsetMs);
};
