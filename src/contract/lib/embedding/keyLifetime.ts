/** Shortest lifetime that a key is created with, in milliseconds. One out of a cache has less left. */
export const minKeyLifetimeMs = 60_000;

/** Longest lifetime of a key that is worked with, in milliseconds: the portal clamps there too. */
export const maxKeyLifetimeMs = 24 * 60 * 60 * 1000;
