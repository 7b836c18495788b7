import type { AppendReceipt, NewDelivery } from '../actionInbox.ts';
import { cleanText } from './deliveryRow.ts';
import type { Query, SqlWords } from './sqlDriver.ts';

/** A delivery and the digest of its bytes. */
export interface DigestedDelivery extends NewDelivery {
  readonly digest: Buffer;
}

const digestBytes = 32;

/**
 * Inserts deliveries within a transaction, in their order, each with the ID of the first one of the same digest whose age is at
 * most `windowMs` milliseconds.
 */
export const insertDeliveries = async (
  query: Query,
  { schema, elements, bytes: type }: SqlWords,
  { deliveries, windowMs }: { readonly deliveries: readonly DigestedDelivery[]; readonly windowMs: number },
): Promise<readonly AppendReceipt[]> => {
  const digests = deliveries.map(({ digest }) => digest);
  // All bytes go as one parameter, the digests in front of the bodies.
  const bytes = Buffer.concat([...digests, ...deliveries.map(({ raw }) => raw)]);
  let at = 1 + digests.length * digestBytes;
  const values = deliveries.map(({ raw, receivedAtMs, source, encoding, isRebuilt }, n) => ({
    receivedAtMs,
    source: cleanText(source),
    encoding: cleanText(encoding),
    isRebuilt: isRebuilt ? 1 : 0,
    at: (at += raw.byteLength) - raw.byteLength,
    length: raw.byteLength,
    digestAt: 1 + n * digestBytes,
  }));
  const numberOf = (name: keyof (typeof values)[number], type = 'integer') =>
    `cast(value ->> '${name}' as ${type})`;
  const rows = await query(
    `insert into ${schema}.deliveries (received_at, source, encoding, is_rebuilt, raw, digest, duplicate_of, at)
     select received_at, source, encoding, is_rebuilt, raw, digest,
       (select d.id from ${schema}.deliveries d where d.digest = added.digest and d.received_at >= added.received_at - $2
        order by d.received_at, d.id limit 1), now_ms()
     from (select ${numberOf('receivedAtMs', 'bigint')} as received_at, value ->> 'source' as source,
       value ->> 'encoding' as encoding, ${numberOf('isRebuilt')} as is_rebuilt,
       substr(cast($3 as ${type}), ${numberOf('at')}, ${numberOf('length')}) as raw,
       substr(cast($3 as ${type}), ${numberOf('digestAt')}, ${digestBytes}) as digest from ${elements}) as added
     returning id, duplicate_of as "duplicateOf"`,
    [JSON.stringify(values), windowMs, bytes],
  );
  const sorted = rows.toSorted((a, b) => Number(a['id']) - Number(b['id']));
  // The statement does not see its own rows.
  const firsts = new Map<string, string>();
  const repeated: { readonly id: string; readonly first: string }[] = [];
  const receipts = sorted.map(({ id: number, duplicateOf }, n): AppendReceipt => {
    const [id, digest] = [String(number), digests[n]?.toString('latin1') ?? ''];
    const first = duplicateOf === null ? firsts.get(digest) : String(duplicateOf);
    if (first === undefined) firsts.set(digest, id);
    else if (duplicateOf === null) repeated.push({ id, first });
    return { id, ...(first !== undefined && { duplicateOf: first }), isSpilled: false };
  });
  if (repeated.length > 0)
    await query(
      `update ${schema}.deliveries set duplicate_of = cast(value ->> 'first' as bigint) from ${elements}
       where deliveries.id = cast(value ->> 'id' as bigint)`,
      [JSON.stringify(repeated)],
    );
  return receipts;
};
