import type { Profile } from './profileSchema.ts';

type Row = Readonly<Record<string, unknown>>;

const rename = (row: Row, names: Readonly<Record<string, string>>): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [names[name] ?? name, value]));

const without = (row: Row, name: string): Row =>
  Object.fromEntries(Object.entries(row).filter(([other]) => other !== name));

const asUser = (profile: Profile, row: Row): Row => {
  const id = profile.userIdType === 'string' ? String(row['id']) : row['id'];
  return {
    ...(profile.userId === 'userId' ? { userId: id, ...without(row, 'id') } : { ...row, id }),
    ...(profile.unknownEnumValues === 'some' && { type: 'FederatedID' }),
  };
};

const asUnit = (profile: Profile, row: Row): Row => ({
  ...row,
  ...(profile.unitId === 'number' && {
    id: Number(row['id']),
    parentId: row['parentId'] === 'root' ? 'root' : Number(row['parentId']),
  }),
  ...(profile.topParent === 'null' && row['parentId'] === 'root' && { parentId: null }),
});

const asItem = (profile: Profile, row: Row): Row => {
  if (profile.itemId === 'numberOnly') return without(row, 'guid');
  return profile.itemId === 'guidOnly' ? { ...without(row, 'guid'), id: row['guid'] } : row;
};

const auditNames = {
  ours: {},
  event: { actionType: 'eventType', timestamp: 'eventTime' },
  activity: { actionType: 'type', timestamp: 'createdAt', details: 'properties' },
} as const;

const asAuditRecord = (profile: Profile, row: Row): Row =>
  rename(
    { ...row, ...(profile.auditDetails === 'text' && { details: JSON.stringify(row['details']) }) },
    auditNames[profile.auditNames],
  );

const asRow = (profile: Profile, tag: string, row: Row): Row => {
  switch (tag) {
    case 'users':
      return asUser(profile, row);
    case 'roles':
      return profile.roleCode === 'missing' && row['code'] === null ? without(row, 'code') : row;
    case 'organization-units':
      return asUnit(profile, row);
    case 'items':
      return asItem(profile, row);
    case 'audit-logs':
      return asAuditRecord(profile, row);
    default:
      return row;
  }
};

/** One resource in the form of a service with this profile; `tag` is the segment after `/v1/`. */
export const profileRow = (profile: Profile, tag: string, row: Row): Row => ({
  ...asRow(profile, tag, row),
  ...(profile.unknownFields === 'some' && { etag: 'W/"1"', links: { self: '/v1' } }),
});
