/** The last month and day of stored sample rows. Reports show them as if they ended now. */
export const sampleEnd = { year: 2026, month: 9, dayMs: Date.UTC(2026, 9, 31) } as const;

const dayMs = 86_400_000;
const weekMs = 7 * dayMs;
const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** A stored month, `YYYY-MM`, moved so that the last one is the month of `nowMs`. */
export const shiftMonth = (month: string, nowMs: number): string => {
  const now = new Date(nowMs);
  const months = (now.getUTCFullYear() - sampleEnd.year) * 12 + now.getUTCMonth() - sampleEnd.month;
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7);
};

/** A stored day, `YYYY-MM-DD`, moved by whole weeks so that the last one is the day of `nowMs` or one of the six after. */
export const shiftDay = (day: string, nowMs: number): string => {
  const todayMs = Math.floor(nowMs / dayMs) * dayMs;
  return dateOf(Date.parse(day) + Math.ceil((todayMs - sampleEnd.dayMs) / weekMs) * weekMs);
};

/** Whether a day is within the last days up to that of `nowMs`. */
export const isWithinDays = (day: string, count: number, nowMs: number): boolean =>
  day <= dateOf(nowMs) && day > dateOf(nowMs - count * dayMs);
