/** The portal's report pages and their titles in the console. */
export const reportTitles = [
  ['sales', 'Sales by region'],
  ['operations', 'Operations board'],
  ['orders', 'Order book'],
  ['summary', 'Executive summary'],
] as const;

/** A report page of the portal. */
export type ReportKind = (typeof reportTitles)[number][0];

/** Names of the portal's report pages. */
export const reportKinds: readonly ReportKind[] = reportTitles.map(([kind]) => kind);
