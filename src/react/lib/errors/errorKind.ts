import { englishLabels } from '../labels/labels.ts';

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

/** The status decides for codes of a newer backend, and for a proxy that answers in the backend's place. */
export const errorKind = (code: string, status = 0): EmbedErrorKind => {
  // Only kinds of errors have two sentences.
  if (Array.isArray(englishLabels[code as EmbedErrorKind])) return code as EmbedErrorKind;
  if (status === 401) return 'signed_out';
  if (status === 429) return 'rate_limited';
  if (code === 'portal_refused') return 'misconfigured';
  if (code.startsWith('portal')) return 'portal_unreachable';
  return status >= 500 || code.startsWith('backend') ? 'backend_unreachable' : 'misconfigured';
};

/** Whether the backend has decided: this person may not see the report, not even with a key that still works. */
export const isVerdict = (kind: EmbedErrorKind): boolean =>
  kind === 'signed_out' || kind === 'report_unavailable';
