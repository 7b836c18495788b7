/** Path of CreateEncryptedKey under `{api_base_url}` (docs/interface.md#4.6). */
export const createEncryptedKeyPath = '/api/services/app/ItemLinks/CreateEncryptedKey';

/** Header that names the tenant on CreateEncryptedKey (docs/interface.md#4.6). */
export const tenantIdHeader = 'Svc.TenantId';

/** Header that carries the API key on CreateEncryptedKey: `ApiKey <key>` (docs/interface.md#4.6). */
export const apiKeyHeader = 'Authorization';

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
    /** RLS roles of the session, at most `maxRlsRoles`; their rights add up. */
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
