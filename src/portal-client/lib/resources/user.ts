export * from '../rows.ts';

/** Identifier of a user in paths. */
export type UserId = string | number;
