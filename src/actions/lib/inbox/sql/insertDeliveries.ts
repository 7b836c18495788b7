import type { AppendReceipt, NewDelivery } from '../actionInbox.ts';
import { cleanText } from './deliveryColumns.ts';
import type { Query, SqlDriver } from './sqlDriver.ts';

/** A delivery and the digest of its bytes. */
type DigestedDelivery = NewDelivery & { readonly digest: Buffer };

const digestBytes = 32;

/** A number in the current element. */
const numberOf = (name: string, type = 'integer'): string => `cast(value ->> '${name}' as ${type})`;

/**
 * Inserts deliveries within a transaction, in order, each with the ID of the first one with the same digest within the
 * last `windowMs` milliseconds.
 */
export const insertDeliveries = async (
  query: Query,
  { schema, elements, bytes: type }: SqlDriver,
  { deliveries, windowMs }: { readonly deliveries: readonly DigestedDelivery[]; readonly windowMs: number },
): Promise<readonly AppendReceipt[]> => {
  // All bytes are one parameter: each digest, then its body.
  const bytes = Buffer.concat(deliveries.flatMap(({ digest, raw }) => [digest, raw]));
  let end = 1;
  const values = deliveries.map(({ raw, receivedAtMs, source, encoding, isReserialized }) => {
    const at = end;
    end += digestBytes + raw.byteLength;
    const texts = { source: cleanText(source), encoding: cleanText(encoding) };
    return { ...texts, receivedAtMs, isReserialized: isReserialized ? 1 : 0, at, length: raw.byteLength };
  });
  const rows = await query(
    `insert into ${schema}.deliveries (received_at, source, encoding, is_reserialized, raw, digest, duplicate_of, at)
     select received_at, source, encoding, is_reserialized, raw, digest,
       (select d.id from ${schema}.deliveries d where d.digest = added.digest and d.received_at >= added.received_at - $2
        order by d.received_at, d.id limit 1), now_ms()
     from (select ${numberOf('receivedAtMs', 'bigint')} as received_at, value ->> 'source' as source,
       value ->> 'encoding' as encoding, ${numberOf('isReserialized')} as is_reserialized,
       substr(cast($3 as ${type}), ${numberOf('at')} + ${digestBytes}, ${numberOf('length')}) as raw,
       substr(cast($3 as ${type}), ${numberOf('at')}, ${digestBytes}) as digest from ${elements}) as added
     returning id, duplicate_of as "duplicateOf"`,
    [JSON.stringify(values), windowMs, bytes],
  );
  // The statement does not see its own rows.
  const firsts = new Map<string, string>();
  const repeated: { readonly id: string; readonly first: string }[] = [];
  const sorted = rows.toSorted((a, b) => Number(a['id']) - Number(b['id']));
  const receipts = sorted.map(({ id: number, duplicateOf }, n): AppendReceipt => {
    const [id, digest] = [String(number), String(deliveries[n]?.digest.toString('latin1'))];
    const first = duplicateOf === null ? firsts.get(digest) : String(duplicateOf);
    if (first === undefined) firsts.set(digest, id);
    else if (duplicateOf === null) repeated.push({ id, first });
    return { id, ...(first !== undefined && { duplicateOf: first }) };
  });
  if (repeated.length > 0)
    await query(
      `update ${schema}.deliveries set duplicate_of = ${numberOf('first', 'bigint')} from ${elements}
       where deliveries.id = ${numberOf('id', 'bigint')}`,
      [JSON.stringify(repeated)],
    );
  return receipts;
};
