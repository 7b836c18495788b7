const collator = new Intl.Collator('en', { numeric: true });

/** The order of two texts for people: numbers in them count as numbers. */
export const compareTexts = (left: string, right: string): number => collator.compare(left, right);
