import { z } from 'zod';
import { chosen, stated } from '../../provenances.ts';
import { displayText } from '../displayText.ts';

/** Kind of an item or of related content. The interface lists no values, so any text is accepted. */
export const contentType = z.string().min(1, 'must not be empty').max(64, 'must be at most 64 characters');

const guid = z.guid('must be a GUID');
const type = stated('2.4', contentType, 'Kind of item; any text, such as report, dashboard or app.');
const workspaceId = stated('2.4', guid, 'Workspace of the BI platform that holds the content.');
const reportId = stated('2.4', guid, 'Report identifier in the BI platform.');
const displayName = stated('2.4', displayText(256), 'Name shown in the service.');
const additionalData = z
  .array(
    z.strictObject({
      type: stated(
        '2.4',
        contentType,
        'Kind of related content; any text, such as semanticModel or dataset.',
      ),
      id: stated('2.4', guid, 'Identifier in the BI platform.'),
      hasRls: stated('2.4', z.boolean(), 'Whether it filters its rows by role.'),
    }),
  )
  .max(50);

/** Body of `POST /v1/items`. */
export const importItemSchema = z.strictObject({
  type,
  workspaceId,
  reportId,
  displayName,
  roles: stated('2.4', z.array(displayText(128)).max(200).default([]), 'Role names that apply to the item.'),
  additionalData: stated('2.4', additionalData.default([]), 'Related content.'),
});

/** An item as the portal returns it. */
export const itemSchema = z.strictObject({
  id: chosen(z.int(), 'The Item ID as a number: `value.reportId` of CreateEncryptedKey.'),
  guid: chosen(z.guid(), 'The Item ID as a GUID: `reportId` of webhooks.'),
  type,
  workspaceId,
  reportId,
  displayName,
  roles: stated('2.4', z.array(z.string()), 'Role names that apply to the item.'),
  additionalData: stated('2.4', additionalData, 'Related content.'),
  createdAt: chosen(z.iso.datetime(), 'ISO 8601 UTC.'),
});

/** An item as the portal returns it. */
export type ItemBody = z.output<typeof itemSchema>;
/** An item to import. */
export type NewItem = z.output<typeof importItemSchema>;
