import {
  asBoolean,
  asFilledText,
  firstMember,
  isRecord,
  type JsonRecord,
  member,
} from '../../dialect/jsonValues.ts';
import type { DesiredUser } from '../desiredState.ts';

const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';

/** Whether a record is a SCIM 2.0 user (RFC 7643 4.1). */
export const isScimUser = (value: JsonRecord): boolean => {
  const schemas = member(value, 'schemas');
  return (
    (Array.isArray(schemas) && schemas.includes(userSchema)) || typeof member(value, 'userName') === 'string'
  );
};

/**
 * Converts a SCIM user: primary email (else the first, else userName), name.givenName and name.familyName, active,
 * roles by value. Groups are ignored: they are memberships in the directory, not units of the tenant.
 */
export const userFromScim = (value: JsonRecord): DesiredUser => {
  const name = member(value, 'name');
  const names = isRecord(name) ? name : {};
  const roles = member(value, 'roles');
  return {
    email: primaryEmail(member(value, 'emails')) ?? asFilledText(member(value, 'userName')) ?? '',
    firstName: asFilledText(member(names, 'givenName')),
    lastName: asFilledText(member(names, 'familyName')),
    roles: Array.isArray(roles) ? roles.flatMap((role) => valueOf(role) ?? []) : undefined,
    active: asBoolean(member(value, 'active')),
  };
};

const primaryEmail = (emails: unknown): string | undefined => {
  if (!Array.isArray(emails)) return undefined;
  const records = emails.filter(isRecord);
  const primary = records.find((email) => member(email, 'primary') === true) ?? records[0];
  return primary === undefined ? asFilledText(emails[0]) : asFilledText(member(primary, 'value'));
};

const valueOf = (role: unknown): string | undefined =>
  isRecord(role) ? firstMember(role, ['value', 'display'], asFilledText) : asFilledText(role);
