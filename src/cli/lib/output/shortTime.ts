/** Formats a time for display, in UTC: `2026-01-31 08:15:00`. */
export const shortTime = (timestamp: string | undefined): string =>
  timestamp === undefined ? '–' : timestamp.replace('T', ' ').replace(/\.\d+Z$|Z$/, '');
