import type { ReportAction } from '@vitrine/contract';
import type { Publication } from '../inbox/actionInbox.ts';
import { parseAction } from '../parse/parseAction.ts';
import { formatEvent } from './serverSentEvents.ts';

/** A publication ready to be sent. */
export interface PreparedPublication {
  readonly cursor: number;
  readonly deliveryId: string;
  readonly receivedAtMs: number;
  /** The event text for each viewer, serialized once for all. Empty if the publication is too old. */
  readonly texts: ReadonlyMap<string, string>;
  readonly itemId: number;
  /** Characters of the texts. */
  readonly size: number;
}

const nobody: ReadonlyMap<string, string> = new Map();

/** Prepares a publication for the streams. If it was received too long ago, it has no audience. */
export const preparePublication = (
  publication: Publication,
  receivedSinceMs: number,
): PreparedPublication => {
  const { cursor, delivery, audience, itemId, reply, supersededFor = [] } = publication;
  const { id: deliveryId, receivedAtMs } = delivery;
  const none = { cursor, deliveryId, receivedAtMs, texts: nobody, itemId, size: 0 };
  if (audience.length === 0 || receivedAtMs < receivedSinceMs) return none;
  const parsed = parseAction(delivery);
  if (!parsed.isOk) return none;
  const { id, reportId, reportName, visual, triggeredAt, isCleared, rows } = parsed.event;
  const event = { id, itemId, reportId, reportName, visual, triggeredAt, isCleared, rows };
  const action: ReportAction = { ...event, ...reply };
  const text = formatEvent(cursor, 'action', action);
  const marked: ReportAction = { ...action, isSuperseded: true };
  const markedText = supersededFor.length > 0 ? formatEvent(cursor, 'action', marked) : '';
  const textFor = (userId: string): string => (supersededFor.includes(userId) ? markedText : text);
  const texts = new Map(audience.map((userId) => [userId, textFor(userId)]));
  return { ...none, texts, size: text.length + markedText.length };
};
