/** Shortest lifetime of a new key, in milliseconds. A cached key has less left. */
export const minKeyLifetimeMs = 60_000;

/** Longest lifetime of a key, in milliseconds. The portal clamps to the same value. */
export const maxKeyLifetimeMs = 24 * 60 * 60 * 1000;
