/** The regions of the sample data, and what tells them apart. */
export const regions = [
  { name: 'North', weight: 1.15, growth: 0.011 },
  { name: 'South', weight: 0.82, growth: 0.019 },
  { name: 'East', weight: 1, growth: 0.004 },
  { name: 'West', weight: 1.34, growth: 0.008 },
] as const;

/** The products of the sample data. */
export const products = [
  { name: 'Espresso machines', priceCents: 42_900, margin: 0.38, units: 22 },
  { name: 'Grinders', priceCents: 18_900, margin: 0.41, units: 30 },
  { name: 'Filter coffee', priceCents: 2_450, margin: 0.52, units: 240 },
  { name: 'Whole beans', priceCents: 3_100, margin: 0.47, units: 310 },
  { name: 'Water filters', priceCents: 1_790, margin: 0.61, units: 180 },
  { name: 'Cups and glasses', priceCents: 1_250, margin: 0.55, units: 150 },
  { name: 'Service plans', priceCents: 9_900, margin: 0.72, units: 26 },
  { name: 'Spare parts', priceCents: 3_600, margin: 0.44, units: 70 },
] as const;

/** Values in the sample data of the columns that a row rule may compare with a fixed value. */
export const ruleValues = {
  region: regions.map(({ name }) => name),
  product: products.map(({ name }) => name),
};
