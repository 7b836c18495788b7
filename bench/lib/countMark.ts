/**
 * Placeholder in a body for a number that is unique in every request of every load. Apart from the load generator,
 * which asks for its program's version when it is imported.
 */
export const countMark = '@COUNT@';
