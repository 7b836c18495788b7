/** A portal's response to CreateEncryptedKey: an envelope with a key of 600 characters. */
export const envelope = JSON.stringify({
  result: { key: 'k3y+'.repeat(150) },
  targetUrl: null,
  success: true,
  error: null,
  unAuthorizedRequest: false,
});
