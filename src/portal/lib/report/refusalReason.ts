/** Why a report does not open. */
export type RefusalReason =
  | 'missing'
  | 'tampered'
  | 'foreign'
  | 'unknown'
  | 'other-report'
  | 'expired'
  | 'revoked';
