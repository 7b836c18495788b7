/** So many IDs make a run: from a multiple of it up to the next. */
export const runLength = 8192;

/** The first five bytes of a digest. With the place in a run they just fit into a number without rounding. */
export const fingerprintOf = (digest: Uint8Array): number => {
  let fingerprint = 0;
  for (let at = 0; at < 5; at += 1) fingerprint = fingerprint * 256 + (digest[at] ?? 0);
  return fingerprint;
};

/** Number of the run an ID belongs to. */
export const runOf = (id: number): number => Math.floor(id / runLength);

/** What a run remembers of a delivery: its fingerprint and its place, as one number. */
export const entryOf = (id: number, fingerprint: number): number =>
  fingerprint * runLength + (id % runLength);

const entryBytes = Float64Array.BYTES_PER_ELEMENT;

/** A sorted run as bytes. */
export const encodeRun = (entries: Float64Array): Uint8Array =>
  new Uint8Array(entries.buffer, entries.byteOffset, entries.byteLength);

/** And back; what a damaged file left of an entry is passed over. */
export const decodeRun = (bytes: Uint8Array): Float64Array =>
  new Float64Array(Uint8Array.from(bytes).buffer, 0, Math.floor(bytes.length / entryBytes));

/** Index of the first entry that is not below a number. */
const lowerBound = (entries: Float64Array, least: number): number => {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** IDs in a sorted run whose deliveries have the fingerprint, in their order. */
export function* idsIn(run: number, entries: Float64Array, fingerprint: number): Generator<number> {
  const end = (fingerprint + 1) * runLength;
  for (let at = lowerBound(entries, fingerprint * runLength); (entries[at] ?? end) < end; at += 1)
    yield run * runLength + ((entries[at] ?? 0) % runLength);
}
