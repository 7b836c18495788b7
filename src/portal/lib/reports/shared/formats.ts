import type { NumberFormat } from './reportModel.ts';

const locale = 'en-GB';
const euros = { style: 'currency', currency: 'EUR' } as const;
const oneDecimal = { minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;
const short = { notation: 'compact', maximumSignificantDigits: 3 } as const;
const equal = { notation: 'compact', minimumSignificantDigits: 3, maximumSignificantDigits: 3 } as const;

const numbers = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options);
const dates = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });

/** Creates the {@link Formats} of a report: once, because a browser takes a tenth of a millisecond for each of them. */
export const createFormats = () => {
  const full: Readonly<Record<NumberFormat, Intl.NumberFormat>> = {
    currency: numbers({ ...euros, maximumFractionDigits: 0 }),
    integer: numbers({ maximumFractionDigits: 0 }),
    percent: numbers({ style: 'percent', ...oneDecimal }),
    decimal: numbers(oneDecimal),
  };
  const labels = { ...full, currency: numbers({ ...euros, ...equal }), integer: numbers(equal) };
  const compact = { ...full, currency: numbers({ ...euros, ...short }), integer: numbers(short) };
  const months = dates({ month: 'short', year: 'numeric' });
  const days = dates({ day: 'numeric', month: 'short' });
  return {
    /** A number in full, for webhooks' `formattedValue` and tooltips. */
    full: (value: number, form: NumberFormat): string => full[form].format(value),
    /** A number for axes. */
    compact: (value: number, form: NumberFormat): string => compact[form].format(value),
    /** A number for tiles and labels: with three digits, `€1.10m` above `€64.8k`, but `87` of what is counted. */
    label: (value: number, form: NumberFormat): string =>
      (form === 'integer' && Math.abs(value) < 100 ? full : labels)[form].format(value),
    /** A value of a column: months and days are written out, other text stays. */
    category: (text: string): string => {
      const [, month, day] = /^(\d{4}-\d{2})(-\d{2})?$/.exec(text) ?? [];
      if (month === undefined) return text;
      return (day === undefined ? months : days).format(new Date(`${month}${day ?? '-01'}T00:00:00Z`));
    },
  };
};

/** How a report writes its values. */
export type Formats = ReturnType<typeof createFormats>;
