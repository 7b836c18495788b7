/** Identity kinds in the interface (2.1). Other values may arrive and are kept. */
export const userTypes = ['DirectoryAD', 'DirectoryADExternal', 'UserPass', 'MobileID'] as const;

/** Identity kind of a user; unknown kinds of a newer service are kept as text. */
export type UserType = (typeof userTypes)[number] | (string & {});

/** Fields sent to create a user (docs/interface.md#2.1, #4.1). */
export interface UserInput {
  readonly type: UserType;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** Role names. */
  readonly roles?: readonly string[];
  /** Identifiers of organizational units. */
  readonly organizationUnits?: readonly string[];
}

/** Changes to a user: any subset of the fields; arrays replace (JSON Merge Patch, RFC 7396). */
export type UserPatch = Partial<UserInput>;

/** Longest email address that the portal accepts, in characters. */
export const maxEmailLength = 256;

const emailForm = /^[^\s@\p{Cc}\p{Cf}]+@[^\s@\p{Cc}\p{Cf}]+$/u;

/**
 * Whether a text is an email address: one @ with text on both sides, no space, and no control or invisible character,
 * which would make one address look like another. Internationalized addresses and single-label domains pass. It does
 * not check whether mail arrives.
 */
export const isEmailAddress = (text: string): boolean => emailForm.test(text);
