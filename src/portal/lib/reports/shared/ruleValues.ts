/** Values in the sample data of the columns that a row rule may compare with a fixed value. */
export const ruleValues = {
  region: ['North', 'South', 'East', 'West'],
  product: [
    'Espresso machines',
    'Grinders',
    'Filter coffee',
    'Whole beans',
    'Water filters',
    'Cups and glasses',
    'Service plans',
    'Spare parts',
  ],
} as const;
