/** Maximum number of RLS roles of a key. */
export const maxRlsRoles = 50;

/**
 * Body of CreateEncryptedKey (docs/interface.md#4.6). Contains the passphrase: build it on a server, send it, do not
 * keep it.
 */
export interface CreateEncryptedKeyBody {
  readonly value: {
    /** Identity of the viewing user. */
    readonly userId: string;
    /** Item ID. */
    readonly reportId: number;
    /** RLS roles of the session, at most {@link maxRlsRoles}; their rights add up. */
    readonly roleNames?: readonly string[];
    /** When the key expires, ISO 8601 UTC with `Z`. */
    readonly expiration?: string;
  };
  readonly passPhrase: string;
  readonly tenancyName: string;
}

/** `result` of CreateEncryptedKey. */
export interface CreateEncryptedKeyResult {
  readonly key: string;
}

/** Permissions that an API key needs to create encrypted keys (docs/interface.md#4.6). */
export const mintPermissions = [
  'Administration.ItemLinks.BiItems',
  'Administration.BiReports.Create',
] as const;
