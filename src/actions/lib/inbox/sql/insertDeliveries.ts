import { sha256 } from '../../sha256.ts';
import type { AppendReceipt, NewDelivery } from '../actionInbox.ts';
import { cleanText } from './deliveryRow.ts';
import type { Query, SqlWords } from './sqlDriver.ts';

/**
 * Inserts deliveries within a transaction, in their order, each with the ID of the first one of the same digest whose age is at
 * most `windowMs` milliseconds.
 */
export const insertDeliveries = async (
  query: Query,
  { schema, elements, unhex }: SqlWords,
  { deliveries, windowMs }: { readonly deliveries: readonly NewDelivery[]; readonly windowMs: number },
): Promise<readonly AppendReceipt[]> => {
  const values = deliveries.map(({ raw, receivedAtMs, source, encoding, isRebuilt }) => ({
    receivedAtMs,
    source: cleanText(source),
    encoding: cleanText(encoding),
    isRebuilt: isRebuilt ? 1 : 0,
    raw: Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('hex'),
    digest: sha256(raw).toString('hex'),
  }));
  const rows = await query(
    `insert into ${schema}.deliveries (received_at, source, encoding, is_rebuilt, raw, digest, duplicate_of, at)
     select received_at, source, encoding, is_rebuilt, raw, digest,
       (select d.id from ${schema}.deliveries d where d.digest = added.digest and d.received_at >= added.received_at - $2
        order by d.received_at, d.id limit 1), now_ms()
     from (select cast(value ->> 'receivedAtMs' as bigint) as received_at, value ->> 'source' as source,
       value ->> 'encoding' as encoding, cast(value ->> 'isRebuilt' as integer) as is_rebuilt,
       ${unhex("value ->> 'raw'")} as raw, ${unhex("value ->> 'digest'")} as digest from ${elements}) as added
     returning id, duplicate_of as "duplicateOf"`,
    [JSON.stringify(values), windowMs],
  );
  const sorted = rows.toSorted((a, b) => Number(a['id']) - Number(b['id']));
  // The statement does not see its own rows.
  const firsts = new Map<string, string>();
  const repeated: { readonly id: string; readonly first: string }[] = [];
  const receipts = sorted.map(({ id: number, duplicateOf }, n): AppendReceipt => {
    const [id, digest] = [String(number), values[n]?.digest ?? ''];
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
