import type { NumberFormat } from './reportModel.ts';

const locale = 'en-GB';
const euros = { style: 'currency', currency: 'EUR' } as const;
const oneDecimal = { minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;
const short = { notation: 'compact', maximumSignificantDigits: 3 } as const;
const full: Readonly<Record<NumberFormat, Intl.NumberFormatOptions>> = {
  currency: { ...euros, maximumFractionDigits: 0 },
  integer: { maximumFractionDigits: 0 },
  percent: { style: 'percent', ...oneDecimal },
  decimal: oneDecimal,
};
const equal = { notation: 'compact', minimumSignificantDigits: 3, maximumSignificantDigits: 3 } as const;
const labels: typeof full = { ...full, currency: { ...euros, ...equal }, integer: equal };
const compact: typeof full = { ...full, currency: { ...euros, ...short }, integer: short };

const made = new Map<object, Intl.NumberFormat>();

/** Created on first use: the first one takes milliseconds, which would delay the start of a portal. */
const format = (value: number, options: Intl.NumberFormatOptions): string => {
  const known = made.get(options) ?? new Intl.NumberFormat(locale, options);
  made.set(options, known);
  return known.format(value);
};

/** Formats a number in full, for webhooks' `formattedValue` and tooltips. */
export const formatNumber = (value: number, form: NumberFormat): string => format(value, full[form]);

/** Formats a number compactly, for axes. */
export const formatCompact = (value: number, form: NumberFormat): string => format(value, compact[form]);

/** Formats a number compactly, for tiles and labels: with three digits, `€1.10m` above `€64.8k`, but `87` of what is counted. */
export const formatLabel = (value: number, form: NumberFormat): string =>
  format(value, (form === 'integer' && Math.abs(value) < 100 ? full : labels)[form]);

let months: Intl.DateTimeFormat | undefined;
let days: Intl.DateTimeFormat | undefined;

/** Formats a value of a column: months and days are written out, other text stays. */
export const formatCategory = (text: string): string => {
  const [, month, day] = /^(\d{4}-\d{2})(-\d{2})?$/.exec(text) ?? [];
  if (month === undefined) return text;
  const date = new Date(`${month}${day ?? '-01'}T00:00:00Z`);
  if (day === undefined) {
    months ??= new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric', timeZone: 'UTC' });
    return months.format(date);
  }
  days ??= new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  return days.format(date);
};
