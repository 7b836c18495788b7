import type { NumberFormat } from './reportModel.ts';

const locale = 'en-GB';
const full: Readonly<Record<NumberFormat, Intl.NumberFormat>> = {
  currency: new Intl.NumberFormat(locale, { style: 'currency', currency: 'EUR', maximumFractionDigits: 0 }),
  integer: new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }),
  percent: new Intl.NumberFormat(locale, {
    style: 'percent',
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  }),
  decimal: new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
};
const compact: Readonly<Record<NumberFormat, Intl.NumberFormat>> = {
  currency: new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: 'EUR',
    notation: 'compact',
    maximumSignificantDigits: 3,
  }),
  integer: new Intl.NumberFormat(locale, { notation: 'compact', maximumSignificantDigits: 3 }),
  percent: full.percent,
  decimal: full.decimal,
};

/** A number in full, as webhooks' `formattedValue` and tooltips show it. */
export const formatNumber = (value: number, format: NumberFormat): string => full[format].format(value);

/** A number in few characters, for axes and tiles. */
export const formatCompact = (value: number, format: NumberFormat): string => compact[format].format(value);

const month = new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric', timeZone: 'UTC' });
const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });

const written = new Map<string, string>();

const writeCategory = (text: string): string => {
  if (/^\d{4}-\d{2}$/.test(text)) return month.format(new Date(`${text}-01T00:00:00Z`));
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return day.format(new Date(`${text}T00:00:00Z`));
  return text;
};

/** A value of a column for people: months and days are written out, every other text stays. */
export const formatCategory = (text: string): string => {
  let label = written.get(text);
  if (label === undefined) {
    label = writeCategory(text);
    written.set(text, label);
  }
  return label;
};
