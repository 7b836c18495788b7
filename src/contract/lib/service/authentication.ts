/** Header that carries the API key on every administration call: `Bearer <key>` (docs/interface.md#5). */
export const administrationKeyHeader = 'Authorization';

/** Header that carries the API key on CreateEncryptedKey: `ApiKey <key>` (docs/interface.md#4.6). */
export const embeddingKeyHeader = 'Authorization';

/** Header that names the tenant on CreateEncryptedKey (docs/interface.md#4.6). */
export const tenantIdHeader = 'Svc.TenantId';
