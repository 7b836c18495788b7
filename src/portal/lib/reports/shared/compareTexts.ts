const collator = new Intl.Collator('en', { numeric: true });

/** Compares two texts in natural order: numbers in them count as numbers. */
export const compareTexts = (left: string, right: string): number => collator.compare(left, right);
