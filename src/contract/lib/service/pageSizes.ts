/** Default page size of `GET /v1/audit-logs` (docs/interface.md#8). */
export const defaultPageSize = 50;

/** Largest page size of `GET /v1/audit-logs` (docs/interface.md#8). */
export const maxPageSize = 200;
