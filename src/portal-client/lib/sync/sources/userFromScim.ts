import { asFilledText, firstMember, isRecord, type JsonRecord, member } from '../../responses/jsonValues.ts';
import type { DesiredUser } from '../desiredState.ts';
import { textField } from './jsonFields.ts';
import { type KnownFieldsProps, knownFields } from './knownFields.ts';
import { readActive } from './readActive.ts';

const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';

/** The attributes of a SCIM 2.0 user (RFC 7643 3.1 and 4.1). Most of them have no counterpart in the portal. */
export const scimFields = [
  'userName emails name roles active schemas id externalId meta displayName nickName profileUrl title userType',
  'preferredLanguage locale timezone password phoneNumbers ims photos addresses groups entitlements x509Certificates',
].flatMap((names) => names.split(' '));

const nameFields = [
  'givenName',
  'familyName',
  'middleName',
  'formatted',
  'honorificPrefix',
  'honorificSuffix',
];

/** Whether a record is a SCIM 2.0 user (RFC 7643 4.1). */
export const isScimUser = (value: JsonRecord): boolean => {
  const { schemas, username } = lowerCased(value);
  return (Array.isArray(schemas) && schemas.includes(userSchema)) || typeof username === 'string';
};

/** A SCIM user without schema extensions, whose fields depend on the directory. */
export const withoutExtensions = (value: JsonRecord): JsonRecord =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !name.toLowerCase().startsWith('urn:')));

/**
 * Converts a SCIM user: primary email (else the first, else userName), name.givenName and name.familyName, active,
 * roles by value. Groups are ignored: they are memberships in the directory, not units of the tenant.
 */
export const userFromScim = (value: JsonRecord, place: Omit<KnownFieldsProps, 'names'>): DesiredUser => {
  const { origin } = place;
  const name = member(value, 'name');
  const names = isRecord(name) ? knownFields(name, { ...place, names: nameFields }) : {};
  const roles = member(value, 'roles');
  return {
    email: primaryEmail(member(value, 'emails')) ?? filled(textField(value, 'userName', origin)) ?? '',
    firstName: filled(textField(names, 'givenName', origin)),
    lastName: filled(textField(names, 'familyName', origin)),
    roles: asGiven(Array.isArray(roles) ? roles.map((role: unknown) => valueOf(role) ?? role) : roles),
    active: readActive(member(value, 'active')),
    origin,
  };
};

const filled = (text: string | undefined): string | undefined => (text?.trim() === '' ? undefined : text);

/** A list as it was given: if it is not a list of texts, planning reports the row. */
export const asGiven = (value: unknown): readonly string[] | undefined =>
  value === undefined || value === null ? undefined : (value as readonly string[]);

/** Names of attributes have no case (RFC 7643 2.1). */
const lowerCased = (record: JsonRecord): JsonRecord =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name.toLowerCase(), value]));

const primaryEmail = (emails: unknown): string | undefined => {
  if (!Array.isArray(emails)) return undefined;
  const records = emails.filter(isRecord).map(lowerCased);
  const primary = records.find((email) => member(email, 'primary') === true) ?? records[0];
  return primary === undefined ? asFilledText(emails[0]) : asFilledText(member(primary, 'value'));
};

const valueOf = (role: unknown): string | undefined =>
  isRecord(role) ? firstMember(lowerCased(role), ['value', 'display'], asFilledText) : asFilledText(role);
