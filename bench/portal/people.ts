/** How many users every service starts with, and how many a page of the list holds. */
export const startUsers = 200;
export const pageSize = 50;

export const personEmail = (index: number): string => `person.${index}@acme.example`;
