import type { NumberFormat } from './reportModel.ts';

const locale = 'en-GB';
const full: Readonly<Record<NumberFormat, Intl.NumberFormatOptions>> = {
  currency: { style: 'currency', currency: 'EUR', maximumFractionDigits: 0 },
  integer: { maximumFractionDigits: 0 },
  percent: { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 },
  decimal: { minimumFractionDigits: 1, maximumFractionDigits: 1 },
};
const compact: Readonly<Record<NumberFormat, Intl.NumberFormatOptions>> = {
  currency: { style: 'currency', currency: 'EUR', notation: 'compact', maximumSignificantDigits: 3 },
  integer: { notation: 'compact', maximumSignificantDigits: 3 },
  percent: full.percent,
  decimal: full.decimal,
};

const numbers = new Map<Intl.NumberFormatOptions, Intl.NumberFormat>();

/** Created on first use: the first one takes milliseconds, which would delay the start of a portal. */
const numberFormat = (options: Intl.NumberFormatOptions): Intl.NumberFormat => {
  let made = numbers.get(options);
  if (made === undefined) {
    made = new Intl.NumberFormat(locale, options);
    numbers.set(options, made);
  }
  return made;
};

/** Formats a number in full, for webhooks' `formattedValue` and tooltips. */
export const formatNumber = (value: number, format: NumberFormat): string =>
  numberFormat(full[format]).format(value);

/** Formats a number compactly, for axes and tiles. */
export const formatCompact = (value: number, format: NumberFormat): string =>
  numberFormat(compact[format]).format(value);

let month: Intl.DateTimeFormat | undefined;
let day: Intl.DateTimeFormat | undefined;

const written = new Map<string, string>();

const writeCategory = (text: string): string => {
  if (/^\d{4}-\d{2}$/.test(text)) {
    month ??= new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric', timeZone: 'UTC' });
    return month.format(new Date(`${text}-01T00:00:00Z`));
  }
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) {
    day ??= new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
    return day.format(new Date(`${text}T00:00:00Z`));
  }
  return text;
};

/** Formats a value of a column: months and days are written out, other text stays. */
export const formatCategory = (text: string): string => {
  let label = written.get(text);
  if (label === undefined) {
    label = writeCategory(text);
    written.set(text, label);
  }
  return label;
};
