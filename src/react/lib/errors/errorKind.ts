/** What a person needs to tell apart. Each kind is also a code, the plainest one of its kind. */
export type EmbedErrorKind =
  | 'signed_out'
  | 'report_unavailable'
  | 'rate_limited'
  | 'offline'
  | 'backend_unreachable'
  | 'portal_unreachable'
  | 'key_ended'
  | 'frame_slow'
  | 'frame_blocked'
  | 'misconfigured';

const plain = /^(report_u|offl|key|frame)/;

/** The status decides for codes of a newer backend, and for a proxy that answers in the backend's place. */
export const errorKind = (code: string, status = 0): EmbedErrorKind => {
  // Every code that starts so is itself a kind.
  if (plain.test(code)) return code as EmbedErrorKind;
  if (status === 401) return 'signed_out';
  if (status === 429) return 'rate_limited';
  if (code === 'portal_refused') return 'misconfigured';
  if (code.startsWith('portal')) return 'portal_unreachable';
  return status >= 500 || code.startsWith('backend') ? 'backend_unreachable' : 'misconfigured';
};

/** Whether a repetition can help before anybody has done something. */
export const canRecover = (kind: EmbedErrorKind): boolean => !/^(sig|rep|mis)/.test(kind);
