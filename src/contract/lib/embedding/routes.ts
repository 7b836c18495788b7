/** Where a host mounts Vitrine unless it says otherwise. */
export const defaultEndpoint = '/api/embed';

/** Path under the mount that mints keys: `POST {endpoint}/keys`. */
export const keysPath = '/keys';

/** Path under the mount that streams actions: `GET {endpoint}/actions`. */
export const actionsPath = '/actions';

/** Path of CreateEncryptedKey under `{api_base_url}` (interface 4.6). */
export const createEncryptedKeyPath = '/api/services/app/ItemLinks/CreateEncryptedKey';

/** Header that names the tenant on CreateEncryptedKey (interface 4.6). */
export const tenantIdHeader = 'Svc.TenantId';

/** Header every browser request of Vitrine carries; a cross-site form cannot set it. */
export const requestMarkerHeader = 'x-vitrine-request';
