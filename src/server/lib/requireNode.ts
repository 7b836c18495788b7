/** The oldest releases of each line that `engines` of the package's manifest allows. */
const oldest: Readonly<Record<number, readonly [minor: number, patch: number]>> = {
  22: [22, 3],
  24: [15, 0],
};

const isSupported = (version: string): boolean => {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  if (major >= 26) return true;
  const [oldestMinor, oldestPatch] = oldest[major] ?? [Number.POSITIVE_INFINITY, 0];
  return minor > oldestMinor || (minor === oldestMinor && patch >= oldestPatch);
};

// Imported before anything that an old Node cannot load, so that it prints this sentence and nothing else.
if (!isSupported(process.versions.node)) {
  const error = new Error(
    `Node ${process.versions.node} is too old: Vitrine needs ^22.22.3 || ^24.15.0 || >=26. Install it from https://nodejs.org.`,
  );
  error.stack = error.message;
  throw error;
}
