import type { ReportAction } from '@vitrine/contract';
import type { Publication } from '../inbox/actionInbox.ts';
import { parseAction } from '../parse/parseAction.ts';
import { formatEvent } from './serverSentEvents.ts';

/** A publication ready to be sent. */
export interface PreparedPublication {
  readonly cursor: number;
  readonly deliveryId: string;
  readonly receivedAtMs: number;
  /** Empty if the publication is too old. */
  readonly audience: ReadonlySet<string>;
  readonly itemId: number;
  /** The event text, serialized once for all viewers. */
  readonly text: string;
}

const nobody: ReadonlySet<string> = new Set();

/** Prepares a publication for the streams. If it was received too long ago, it has no audience. */
export const preparePublication = (
  publication: Publication,
  receivedSinceMs: number,
): PreparedPublication => {
  const { cursor, delivery, audience, itemId, reply } = publication;
  const { id: deliveryId, receivedAtMs } = delivery;
  const none = { cursor, deliveryId, receivedAtMs, audience: nobody, itemId, text: '' };
  if (audience.length === 0 || receivedAtMs < receivedSinceMs) return none;
  const parsed = parseAction(delivery);
  if (!parsed.isOk) return none;
  const { id, reportId, reportName, visual, triggeredAt, isCleared, rows } = parsed.event;
  const event = { id, itemId, reportId, reportName, visual, triggeredAt, isCleared, rows };
  const action: ReportAction = { ...event, ...reply };
  return { ...none, audience: new Set(audience), text: formatEvent(cursor, 'action', action) };
};
