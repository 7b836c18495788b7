import type { ActionEvent, ActionFlag } from '../actionEvent.ts';
import type { StoredDelivery } from '../inbox/actionInbox.ts';
import { checkVisuals } from './checkVisuals.ts';
import { findParts } from './findParts.ts';
import { flattenRow } from './flattenRows.ts';
import { type JsonObject, plainText } from './plainChecks.ts';
import { readBody } from './readBody.ts';

/** What a stored delivery turned out to be. */
export type ParsedAction =
  | { readonly isOk: true; readonly event: ActionEvent }
  | { readonly isOk: false; readonly reason: string };

const refuse = (reason: string): ParsedAction => ({ isOk: false, reason });

const dayMs = 24 * 60 * 60 * 1000;

const text = (metadata: JsonObject, name: string): string => plainText(metadata[name]);

const flagsOf = (delivery: StoredDelivery, metadata: JsonObject): ActionFlag[] => {
  const flags: ActionFlag[] = [];
  const triggeredAtMs = Date.parse(text(metadata, 'actionTriggeredAt'));
  if (delivery.duplicateOf !== undefined) flags.push('duplicate');
  // Negated, so that a time that cannot be read counts as odd.
  if (!(Math.abs(triggeredAtMs - delivery.receivedAtMs) <= dayMs)) flags.push('odd-time');
  if (delivery.isRebuilt) flags.push('rebuilt');
  const promised = [
    'actionTriggeredAt',
    'clientUrl',
    'currentUser',
    'reportName',
    'tenancyName',
    'visualName',
  ];
  if (promised.some((name) => text(metadata, name) === '')) flags.push('incomplete');
  return flags;
};

/** Looks inside a stored delivery (interface 6.1, tolerant as the gaps table says). Never throws. */
export const parseAction = (delivery: StoredDelivery): ParsedAction => {
  if (!delivery.isIntact) return refuse('The stored bytes no longer match their digest.');
  const body = readBody(delivery);
  if (body === undefined) return refuse('The body is not JSON.');
  const parts = findParts(body);
  if (!parts) return refuse('The body has no metadata with a reportId, or no visual data beside it.');
  const { metadata } = parts;
  if (!checkVisuals(parts.visuals))
    return refuse('The visual data does not have the shape of interface 6.1.');
  const visuals = parts.visuals.map((visual) => ({
    // Only its data was checked: a foreign portal may name it by a number, or by anything.
    visual: plainText(visual.visual) || text(metadata, 'visualName'),
    rows: visual.data.map(flattenRow),
  }));
  const rows =
    visuals.length === 1 && visuals[0] ? visuals[0].rows : visuals.flatMap((visual) => visual.rows);
  const currentUser = metadata['currentUser'];
  return {
    isOk: true,
    event: {
      id: delivery.id,
      reportId: text(metadata, 'reportId'),
      reportName: text(metadata, 'reportName'),
      visual: text(metadata, 'visualName') || (visuals[0]?.visual ?? ''),
      triggeredAt: text(metadata, 'actionTriggeredAt'),
      currentUser: typeof currentUser === 'number' || typeof currentUser === 'string' ? currentUser : null,
      tenancyName: text(metadata, 'tenancyName'),
      clientUrl: text(metadata, 'clientUrl'),
      isClear: rows.length === 0,
      rows,
      visuals,
      receivedAtMs: delivery.receivedAtMs,
      flags: flagsOf(delivery, metadata),
      ...(delivery.duplicateOf !== undefined && { duplicateOf: delivery.duplicateOf }),
      body,
      raw: delivery.raw,
    },
  };
};
