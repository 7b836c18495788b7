/** Body of CreateEncryptedKey (docs/interface.md#4.6). Holds the passphrase: build it on a server, send it, forget it. */
export interface CreateEncryptedKeyBody {
  readonly value: {
    /** Identity of the viewing user. */
    readonly userId: string;
    /** Item ID. */
    readonly reportId: number;
    /** RLS roles of the session; they add up. */
    readonly roleNames?: readonly string[];
    /** End of the key, ISO 8601 UTC with `Z`. */
    readonly expiration?: string;
  };
  readonly passPhrase: string;
  readonly tenancyName: string;
}

/** `result` of CreateEncryptedKey. */
export interface CreateEncryptedKeyResult {
  readonly key: string;
}

/** Permissions an API key must hold to create encrypted keys (docs/interface.md#4.6). */
export const mintPermissions = [
  'Administration.ItemLinks.BiItems',
  'Administration.BiReports.Create',
] as const;
