/** Path of CreateEncryptedKey under `{api_base_url}` (docs/interface.md#4.6). */
export const createEncryptedKeyPath = '/api/services/app/ItemLinks/CreateEncryptedKey';

/** Header that names the tenant on CreateEncryptedKey (docs/interface.md#4.6). */
export const tenantIdHeader = 'Svc.TenantId';

/** Header that carries the API key on CreateEncryptedKey: `ApiKey <key>` (docs/interface.md#4.6). */
export const apiKeyHeader = 'Authorization';
