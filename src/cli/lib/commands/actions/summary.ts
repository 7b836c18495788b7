import { parseAction, type StoredDelivery } from '@vitrine/server/actions';
import type { Column } from '../../output/formatTable.ts';
import { shortTime } from '../../output/text.ts';

const summaryOf = (delivery: StoredDelivery) => {
  const parsed = parseAction(delivery);
  const { id, state, attempts, duplicateOf, lastError } = delivery;
  return {
    id,
    receivedAt: new Date(delivery.receivedAtMs).toISOString(),
    state,
    attempts,
    report: parsed.isOk ? parsed.event.reportName || parsed.event.reportId : '',
    visual: parsed.isOk ? parsed.event.visual : '',
    rows: parsed.isOk ? parsed.event.rows.length : 0,
    duplicateOf,
    lastError: lastError ?? (parsed.isOk ? undefined : parsed.reason),
  };
};

/** A delivery for display and JSON output. */
export type ActionSummary = ReturnType<typeof summaryOf> & ReturnType<typeof bodyOf>;

/** Summarizes deliveries as a stream. */
export async function* summariesOf(
  deliveries: AsyncIterable<StoredDelivery>,
  hasBody: boolean,
): AsyncGenerator<ActionSummary> {
  for await (const delivery of deliveries) yield { ...summaryOf(delivery), ...(hasBody && bodyOf(delivery)) };
}

/** Table columns of summaries. */
export const columns: readonly Column<ActionSummary>[] = [
  { title: 'ID', value: ({ id }) => id, align: 'right' },
  { title: 'RECEIVED', value: ({ receivedAt }) => shortTime(receivedAt), keepsWidth: true },
  { title: 'STATE', value: ({ state }) => state, keepsWidth: true },
  { title: 'TRIES', value: ({ attempts }) => String(attempts), align: 'right' },
  { title: 'REPORT', value: ({ report }) => report || '–' },
  { title: 'VISUAL', value: ({ visual }) => visual || '–' },
  {
    title: 'REMARK',
    value: ({ duplicateOf, lastError }) => lastError ?? (duplicateOf ? `same bytes as ${duplicateOf}` : ''),
  },
];

/** The column of the bodies. */
export const bodyColumn: Column<ActionSummary> = {
  title: 'BODY',
  value: ({ body, bodyBase64 }) => body ?? bodyBase64 ?? '',
};

/** The body as text if it is text; compressed and binary bodies as base64. */
const bodyOf = ({ raw }: StoredDelivery): { readonly body?: string; readonly bodyBase64?: string } => {
  try {
    return { body: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw) };
  } catch {
    return { bodyBase64: Buffer.from(raw).toString('base64') };
  }
};
