/** Number of users at the start of every service, and per page of the list. */
export const startUsers = 200;
export const pageSize = 50;

export const personEmail = (index: number): string => `person.${index}@acme.example`;
