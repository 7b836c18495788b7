import { flattenRow } from '@vitrine/contract';
import type { ActionEvent, ActionFlag } from '../actionEvent.ts';
import type { StoredDelivery } from '../inbox/actionInbox.ts';
import { findParts } from './findParts.ts';
import { parseVisual } from './parseVisual.ts';
import { type JsonObject, plainText } from './plainChecks.ts';
import { readBody } from './readBody.ts';

/** The result of parsing a stored delivery. */
export type ParsedAction =
  | { readonly isOk: true; readonly event: ActionEvent }
  | { readonly isOk: false; readonly reason: string };

const reject = (reason: string): ParsedAction => ({ isOk: false, reason });

/** IDs appear in messages and are the keys of caches. */
const maxIdLength = 256;
const dayMs = 24 * 60 * 60 * 1000;

const text = (metadata: JsonObject, name: string): string => plainText(metadata[name]);

const promised = ['actionTriggeredAt', 'clientUrl', 'currentUser', 'reportName', 'tenancyName', 'visualName'];

const flagsOf = (delivery: StoredDelivery, metadata: JsonObject): ActionFlag[] => {
  const flags: ActionFlag[] = [];
  const triggeredAtMs = Date.parse(text(metadata, 'actionTriggeredAt'));
  if (delivery.duplicateOf !== undefined) flags.push('duplicate');
  // Negated, so that an unreadable time counts as odd.
  if (!(Math.abs(triggeredAtMs - delivery.receivedAtMs) <= dayMs)) flags.push('odd-time');
  if (delivery.isReserialized) flags.push('reserialized');
  if (promised.some((name) => text(metadata, name) === '')) flags.push('incomplete');
  return flags;
};

/** Parses a stored delivery (docs/interface.md#6.1), with the variants that the interface leaves open. Never throws. */
export const parseAction = (delivery: StoredDelivery): ParsedAction => {
  if (!delivery.isIntact) return reject('The stored bytes do not match their digest.');
  const read = readBody(delivery);
  if (!read.isOk) return read;
  const { body } = read;
  const parts = findParts(body);
  if (!parts) return reject('The body has no metadata with a reportId.');
  const { metadata } = parts;
  const long = ['reportId', 'currentUser'].find((name) => text(metadata, name).length > maxIdLength);
  if (long !== undefined)
    return reject(`The ${long} of the metadata has more than ${maxIdLength} characters.`);
  const visualName = text(metadata, 'visualName');
  const visuals = (parts.visuals ?? []).map((entry) => parseVisual(entry, visualName));
  const rows = visuals.flatMap((visual) => visual.rows);
  const currentUser = metadata['currentUser'];
  const flags = flagsOf(delivery, metadata);
  if (parts.visuals === undefined || visuals.some(({ isUnparsed }) => isUnparsed))
    flags.push('unparsed-data');
  return {
    isOk: true,
    event: {
      id: delivery.id,
      reportId: text(metadata, 'reportId'),
      reportName: text(metadata, 'reportName'),
      visual: visualName || (visuals[0]?.visual ?? ''),
      triggeredAt: text(metadata, 'actionTriggeredAt'),
      currentUser: typeof currentUser === 'number' || typeof currentUser === 'string' ? currentUser : null,
      tenancyName: text(metadata, 'tenancyName'),
      clientUrl: text(metadata, 'clientUrl'),
      isCleared: parts.visuals !== undefined && visuals.every(({ isCleared }) => isCleared),
      rows,
      flatRows: rows.map(flattenRow),
      visuals: visuals.map(({ visual, rows: own }) => ({ visual, rows: own })),
      receivedAtMs: delivery.receivedAtMs,
      flags,
      ...(delivery.duplicateOf !== undefined && { duplicateOf: delivery.duplicateOf }),
      body,
      raw: delivery.raw,
    },
  };
};
